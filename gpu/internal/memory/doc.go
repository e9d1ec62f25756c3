// Package memory hands out memory of a device, and pinned memory of its host, as work asks for it.
package memory
