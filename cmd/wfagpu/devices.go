package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"wfagpu/gpu"
)

func newDevicesCmd(std streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "devices [flags]",
		Short: "List the GPUs of this machine",
		Long: `Devices prints a header and one line per NVIDIA GPU, separated by tabs: number,
name, memory and free memory in MiB, multiprocessors, compute capability, the
CUDA version that the driver supports, and whether wfagpu can use the GPU (yes,
or no and the reason). With --json it prints an array of objects, with memory in
bytes and the UUID of the GPU.

CUDA_VISIBLE_DEVICES applies: hidden GPUs are not listed, and the others are
numbered in its order.

Exit codes:
  0    a usable GPU was found
  1    the list could not be written
  2    bad usage
  4    there is no driver, no GPU, or none that is usable`,
		Example: `  wfagpu devices
  CUDA_VISIBLE_DEVICES=1 wfagpu devices --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			return runDevices(gpu.Devices, asJSON, std.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// errNoneUsable ends a listing in which every GPU has its reason.
var errNoneUsable = errors.New("no GPU here is usable")

// runDevices prints what list returns.
func runDevices(list func() ([]gpu.DeviceInfo, error), asJSON bool, w io.Writer) error {
	infos, err := list()
	if err != nil {
		return &deviceError{err}
	}
	devices := make([]deviceLine, len(infos))
	usable := false
	for i, info := range infos {
		devices[i] = newDeviceLine(info)
		usable = usable || devices[i].Usable
	}
	text := devicesTable(devices)
	if asJSON {
		b, err := json.MarshalIndent(devices, "", "  ")
		if err != nil {
			return err
		}
		text = append(b, '\n')
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if !usable {
		return &deviceError{errNoneUsable}
	}
	return nil
}

// deviceLine is a GPU as it is printed. The JSON names are a promise to
// scripts; memory is in bytes.
type deviceLine struct {
	Device            int    `json:"device"`
	Name              string `json:"name"`
	UUID              string `json:"uuid"`
	Memory            uint64 `json:"memory_bytes"`
	FreeMemory        uint64 `json:"free_memory_bytes"`
	SMs               int    `json:"sms"`
	ComputeCapability string `json:"compute_capability"`
	CUDA              string `json:"cuda_version"`
	Usable            bool   `json:"usable"`
	Reason            string `json:"reason,omitempty"` // why not
}

func newDeviceLine(info gpu.DeviceInfo) deviceLine {
	l := deviceLine{
		Device:            info.Ordinal,
		Name:              info.Name,
		UUID:              info.UUID,
		Memory:            info.TotalMemory,
		FreeMemory:        info.FreeMemory,
		SMs:               info.SMs,
		ComputeCapability: fmt.Sprintf("%d.%d", info.Major, info.Minor),
		// 12040 is 12.4.
		CUDA:   fmt.Sprintf("%d.%d", info.DriverVersion/1000, info.DriverVersion%1000/10),
		Usable: true,
	}
	if err := info.Usable(); err != nil {
		l.Usable, l.Reason = false, err.Error()
	}
	return l
}

func devicesTable(devices []deviceLine) []byte {
	text := []byte("device\tname\tmemory_mib\tfree_mib\tsms\tcompute_capability\tcuda_version\tusable\n")
	for _, d := range devices {
		usable := "yes"
		if !d.Usable {
			usable = "no: " + d.Reason
		}
		text = fmt.Appendf(text, "%d\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n",
			d.Device, d.Name, d.Memory>>20, d.FreeMemory>>20, d.SMs, d.ComputeCapability, d.CUDA, usable)
	}
	return text
}
