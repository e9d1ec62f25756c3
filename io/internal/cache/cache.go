// Package cache has memory loaded into the processor's caches before it is read: text that waits
// is in memory, and the processor by itself loads too little of it in advance.
package cache

// Line is the size of a cache line, in bytes.
const Line = 64
