//go:build !amd64

package gpu

const canPack = false

func packLetters(dst *uint32, letters *byte, n int) bool { panic("no packer for this CPU") }
