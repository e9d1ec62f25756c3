#include "textflag.h"

DATA star<>+0(SB)/8, $0x2a2a2a2a2a2a2a2a
DATA star<>+8(SB)/8, $0x2a2a2a2a2a2a2a2a
DATA star<>+16(SB)/8, $0x2a2a2a2a2a2a2a2a
DATA star<>+24(SB)/8, $0x2a2a2a2a2a2a2a2a
GLOBL star<>(SB), RODATA|NOPTR, $32

DATA lower<>+0(SB)/8, $0x2020202020202020
DATA lower<>+8(SB)/8, $0x2020202020202020
DATA lower<>+16(SB)/8, $0x2020202020202020
DATA lower<>+24(SB)/8, $0x2020202020202020
GLOBL lower<>(SB), RODATA|NOPTR, $32

DATA first<>+0(SB)/8, $0x6161616161616161
DATA first<>+8(SB)/8, $0x6161616161616161
DATA first<>+16(SB)/8, $0x6161616161616161
DATA first<>+24(SB)/8, $0x6161616161616161
GLOBL first<>(SB), RODATA|NOPTR, $32

DATA most<>+0(SB)/8, $0x1919191919191919
DATA most<>+8(SB)/8, $0x1919191919191919
DATA most<>+16(SB)/8, $0x1919191919191919
DATA most<>+24(SB)/8, $0x1919191919191919
GLOBL most<>(SB), RODATA|NOPTR, $32

// The base in upper case whose low four bits are the index; no byte without the bit of case is 0xff.
DATA base<>+0(SB)/8, $0x47ffff5443ff41ff
DATA base<>+8(SB)/8, $0xffffffffffffffff
DATA base<>+16(SB)/8, $0x47ffff5443ff41ff
DATA base<>+24(SB)/8, $0xffffffffffffffff
GLOBL base<>(SB), RODATA|NOPTR, $32

// func runAVX2(s *byte, n int) int
TEXT ·runAVX2(SB), NOSPLIT, $0-24
	MOVQ    s+0(FP), SI
	MOVQ    n+8(FP), CX
	XORQ    AX, AX
	VMOVDQU star<>(SB), Y4
	VMOVDQU lower<>(SB), Y5
	VMOVDQU first<>(SB), Y6
	VMOVDQU most<>(SB), Y7

vector:
	VMOVDQU   (SI)(AX*1), Y0
	VPCMPEQB  Y4, Y0, Y1
	VPOR      Y5, Y0, Y0
	VPSUBB    Y6, Y0, Y0
	VPMINUB   Y7, Y0, Y2
	VPCMPEQB  Y2, Y0, Y0
	VPOR      Y1, Y0, Y0
	VPMOVMSKB Y0, DX
	XORL      $-1, DX
	JNE       other
	ADDQ      $32, AX
	CMPQ      AX, CX
	JLT       vector
	MOVQ      AX, ret+16(FP)
	VZEROUPPER
	RET

other:
	BSFL DX, DX
	ADDQ DX, AX
	MOVQ AX, ret+16(FP)
	VZEROUPPER
	RET

DATA value<>+0(SB)/8, $0x2121212121212121
DATA value<>+8(SB)/8, $0x2121212121212121
DATA value<>+16(SB)/8, $0x2121212121212121
DATA value<>+24(SB)/8, $0x2121212121212121
GLOBL value<>(SB), RODATA|NOPTR, $32

DATA values<>+0(SB)/8, $0x5d5d5d5d5d5d5d5d
DATA values<>+8(SB)/8, $0x5d5d5d5d5d5d5d5d
DATA values<>+16(SB)/8, $0x5d5d5d5d5d5d5d5d
DATA values<>+24(SB)/8, $0x5d5d5d5d5d5d5d5d
GLOBL values<>(SB), RODATA|NOPTR, $32

// func valuesAVX2(s *byte, n int) bool
TEXT ·valuesAVX2(SB), NOSPLIT, $0-17
	MOVQ    s+0(FP), SI
	MOVQ    n+8(FP), CX
	SUBQ    $32, CX // where the last vector begins, which may overlap the one before
	XORQ    AX, AX
	VMOVDQU value<>(SB), Y5
	VMOVDQU values<>(SB), Y6
	VPCMPEQB Y3, Y3, Y3

values:
	VMOVDQU  (SI)(AX*1), Y0
	VPSUBB   Y5, Y0, Y0
	VPMINUB  Y6, Y0, Y1
	VPCMPEQB Y1, Y0, Y0
	VPAND    Y0, Y3, Y3
	CMPQ     AX, CX
	JGE      ended
	ADDQ     $32, AX
	CMPQ     AX, CX
	CMOVQGT  CX, AX
	JMP      values

ended:
	VPMOVMSKB Y3, DX
	CMPL      DX, $-1
	SETEQ     ret+16(FP)
	VZEROUPPER
	RET

// func basesAVX2(s *byte, n int) bool
TEXT ·basesAVX2(SB), NOSPLIT, $0-17
	MOVQ    s+0(FP), SI
	MOVQ    n+8(FP), CX
	SUBQ    $32, CX // where the last vector begins, which may overlap the one before
	XORQ    AX, AX
	VMOVDQU lower<>(SB), Y5
	VMOVDQU base<>(SB), Y6
	VPCMPEQB Y3, Y3, Y3

letters:
	VMOVDQU  (SI)(AX*1), Y0
	VPSHUFB  Y0, Y6, Y1
	VPANDN   Y0, Y5, Y0
	VPCMPEQB Y0, Y1, Y0
	VPAND    Y0, Y3, Y3
	CMPQ     AX, CX
	JGE      end
	ADDQ     $32, AX
	CMPQ     AX, CX
	CMOVQGT  CX, AX
	JMP      letters

end:
	VPMOVMSKB Y3, DX
	CMPL      DX, $-1
	SETEQ     ret+16(FP)
	VZEROUPPER
	RET
