#include "textflag.h"

// By the low four bits of a letter: the one small letter of acgtu that has
// them, or a byte that no letter is equal to.
DATA letterOf<>+0(SB)/8, $0x6700757463006100
DATA letterOf<>+8(SB)/8, $0
GLOBL letterOf<>(SB), RODATA|NOPTR, $16

// Weights that put two codes, then two pairs of codes, side by side.
DATA weights<>+0(SB)/4, $0x01040104
DATA weights<>+4(SB)/4, $0x00010010
DATA weights<>+8(SB)/4, $0x20202020
DATA weights<>+12(SB)/4, $0x03030303
GLOBL weights<>(SB), RODATA|NOPTR, $16

// The low bytes of four words of 32 bits, the last first.
DATA gather<>+0(SB)/8, $0x808080800004080c
DATA gather<>+8(SB)/8, $0x8080808080808080
GLOBL gather<>(SB), RODATA|NOPTR, $16

// The first word of each half.
DATA halves<>+0(SB)/8, $0x0000000400000000
DATA halves<>+8(SB)/8, $0
DATA halves<>+16(SB)/8, $0
DATA halves<>+24(SB)/8, $0
GLOBL halves<>(SB), RODATA|NOPTR, $32

// At 16 - r: moves the last r of 16 bytes to the front and clears the others,
// and what to put in their place.
DATA toFront<>+0(SB)/8, $0x0706050403020100
DATA toFront<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA toFront<>+16(SB)/8, $0x8080808080808080
DATA toFront<>+24(SB)/8, $0x8080808080808080
GLOBL toFront<>(SB), RODATA|NOPTR, $32
DATA filler<>+0(SB)/8, $0
DATA filler<>+8(SB)/8, $0
DATA filler<>+16(SB)/8, $0x4141414141414141
DATA filler<>+24(SB)/8, $0x4141414141414141
GLOBL filler<>(SB), RODATA|NOPTR, $32

// Packs the 32 letters of Y0 to 8 bytes at DI.
//
// A letter is known if it is, in lower case, the one with its low bits. Bits 1
// and 2 are the code; 4*c0 + c1 and 16 times that + the next put codes side by
// side.
#define PACK32 \
	VPOR Y0, Y11, Y1      \
	VPSHUFB Y0, Y8, Y2    \
	VPCMPEQB Y1, Y2, Y2   \
	VPAND Y2, Y15, Y15    \
	VPSRLW $1, Y0, Y3     \
	VPAND Y3, Y12, Y3     \
	VPMADDUBSW Y9, Y3, Y3 \
	VPMADDWD Y10, Y3, Y3  \
	VPSHUFB Y13, Y3, Y3   \
	VPERMD Y3, Y14, Y3    \
	VMOVQ X3, (DI)

// func packLetters(dst *uint32, letters *byte, n int) bool
TEXT ·packLetters(SB), NOSPLIT, $0-25
	MOVQ dst+0(FP), DI
	MOVQ letters+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTI128 letterOf<>(SB), Y8
	VPBROADCASTD weights<>+0(SB), Y9
	VPBROADCASTD weights<>+4(SB), Y10
	VPBROADCASTD weights<>+8(SB), Y11
	VPBROADCASTD weights<>+12(SB), Y12
	VBROADCASTI128 gather<>(SB), Y13
	VMOVDQU halves<>(SB), Y14
	VPCMPEQB Y15, Y15, Y15 // all ones while every letter is known
	SUBQ $32, CX
	JLT rest

loop:
	VMOVDQU (SI), Y0
	PACK32
	ADDQ $32, SI
	ADDQ $8, DI
	SUBQ $32, CX
	JGE loop

rest:
	ADDQ $32, CX // letters left, below 32
	JZ done
	VMOVDQU filler<>+16(SB), X0
	VMOVDQU filler<>+16(SB), X4
	CMPQ CX, $16
	JLT last
	VMOVDQU (SI), X0
	SUBQ $16, CX
	JZ join
	// Fewer than 16 behind 16: the last 16 letters, moved to the front.
	LEAQ filler<>(SB), R8
	LEAQ toFront<>(SB), R9
	VMOVDQU (SI)(CX*1), X4
	MOVQ $16, AX
	SUBQ CX, AX
	VPSHUFB (R9)(AX*1), X4, X4
	VPOR (R8)(AX*1), X4, X4
	JMP join

last:
	// Fewer than 16, and at least 16 letters before their end.
	LEAQ filler<>(SB), R8
	LEAQ toFront<>(SB), R9
	VMOVDQU -16(SI)(CX*1), X0
	MOVQ $16, AX
	SUBQ CX, AX
	VPSHUFB (R9)(AX*1), X0, X0
	VPOR (R8)(AX*1), X0, X0

join:
	VINSERTI128 $1, X4, Y0, Y0
	PACK32

done:
	VPMOVMSKB Y15, AX
	VZEROUPPER
	NOTL AX
	TESTL AX, AX
	SETEQ ret+24(FP)
	RET
