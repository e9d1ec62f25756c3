#include "go_asm.h"
#include "textflag.h"

// By the low four bits of a letter: the one small letter of acgtu that has
// them, or a byte with other low bits. Letters with bit 7 get 0.
DATA small<>+0(SB)/8, $0x6700757463006101
DATA small<>+8(SB)/8, $0
GLOBL small<>(SB), RODATA|NOPTR, $16

// Bits 1 and 2 of each byte; weights that put two codes, then two pairs of
// codes, side by side; a letter with code 0; all bits but that of the case.
DATA bits<>+0(SB)/4, $0x06060606
DATA bits<>+4(SB)/4, $0x10401040
DATA bits<>+8(SB)/4, $0x00080080
DATA bits<>+12(SB)/4, $0x41414141
DATA bits<>+16(SB)/4, $0xdfdfdfdf
GLOBL bits<>(SB), RODATA|NOPTR, $20

// The second bytes of four words of 32 bits, the last first.
DATA second<>+0(SB)/8, $0x808080800105090d
DATA second<>+8(SB)/8, $0x8080808080808080
GLOBL second<>(SB), RODATA|NOPTR, $16

// The first word of each quarter.
DATA quarters<>+0(SB)/8, $0x0000000400000000
DATA quarters<>+8(SB)/8, $0x0000000c00000008
GLOBL quarters<>(SB), RODATA|NOPTR, $16

// Packs the 64 letters of Z0 to 16 bytes at DI.
//
// Z15 collects the bits in which letters differ from those that they should
// be; a letter is known if that is none but the case. Bits 1 and 2 are twice the
// code; the weights add up to 256 times the byte of four letters.
#define PACK64 \
	VPSHUFB Z0, Z8, Z1             \
	VPTERNLOGQ $0xf6, Z0, Z1, Z15  \
	VPANDQ Z9, Z0, Z2              \
	VPMADDUBSW Z10, Z2, Z2         \
	VPMADDWD Z11, Z2, Z2           \
	VPSHUFB Z12, Z2, Z2            \
	VPERMD Z2, Z13, Z2             \
	VMOVDQU X2, (DI)

// Packs the CX letters at SI to DI and moves DI behind the last word. No letter
// behind the last is touched.
#define PACKALL(loop, rest, done) \
	SUBQ $64, CX          \
	JLT rest              \
loop:                         \
	VMOVDQU64 (SI), Z0    \
	PACK64                \
	ADDQ $64, SI          \
	ADDQ $16, DI          \
	SUBQ $64, CX          \
	JGE loop              \
rest:                         \
	ADDQ $64, CX          \
	JZ done               \
	BZHIQ CX, R8, AX      \
	KMOVQ AX, K1          \
	VMOVDQA64 Z14, Z0     \
	VMOVDQU8 (SI), K1, Z0 \
	PACK64                \
	ADDQ $15, CX          \
	SHRQ $4, CX           \
	LEAQ (DI)(CX*4), DI   \
done:

// func packPairAVX512(dst *uint32, pair, ahead *align.Pair) bool
TEXT ·packPairAVX512(SB), NOSPLIT, $0-25
	MOVQ dst+0(FP), DI
	MOVQ pair+8(FP), BX
	MOVQ ahead+16(FP), DX

	// Most of the time goes by in waiting for letters, so those of a pair
	// to come are asked for. The hardware goes on where they are many.
	MOVQ const_patternData(DX), SI
	MOVQ const_patternLength(DX), CX
	PREFETCHT0 (SI)
	PREFETCHT0 64(SI)
	PREFETCHT0 128(SI)
	PREFETCHT0 -1(SI)(CX*1)
	MOVQ const_textData(DX), SI
	MOVQ const_textLength(DX), CX
	PREFETCHT0 (SI)
	PREFETCHT0 64(SI)
	PREFETCHT0 128(SI)
	PREFETCHT0 -1(SI)(CX*1)

	VBROADCASTI32X4 small<>(SB), Z8
	VPBROADCASTD bits<>+0(SB), Z9
	VPBROADCASTD bits<>+4(SB), Z10
	VPBROADCASTD bits<>+8(SB), Z11
	VBROADCASTI32X4 second<>(SB), Z12
	VMOVDQU quarters<>(SB), X13
	VPBROADCASTD bits<>+12(SB), Z14
	VPXORQ Z15, Z15, Z15
	MOVQ $-1, R8

	MOVQ const_patternData(BX), SI
	MOVQ const_patternLength(BX), CX
	PACKALL(loop1, rest1, done1)
	MOVQ const_textData(BX), SI
	MOVQ const_textLength(BX), CX
	PACKALL(loop2, rest2, done2)

	VPBROADCASTD bits<>+16(SB), Z0
	VPTESTMD Z0, Z15, K1
	KORTESTW K1, K1
	SETEQ ret+24(FP)
	VZEROUPPER
	RET
