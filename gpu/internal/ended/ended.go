// Package ended tells why a call has ended.
package ended

import "context"

// Cause returns the cause of ctx's end, nil if ctx has not ended. If ctx ended because
// outer, its parent, did, it returns outer.Err().
func Cause(outer, ctx context.Context) error {
	err := context.Cause(ctx)
	if outer.Err() != nil && err == context.Cause(outer) {
		return outer.Err()
	}
	return err
}
