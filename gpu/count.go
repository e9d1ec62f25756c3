package gpu

// Count returns the number of visible GPUs, usable or not. It opens none of
// them, so that, unlike Devices, it takes no longer than the driver's start.
// The error is ErrNoDriver, ErrNoDevice or ErrTooOld with details, or an *Error.
func Count() (int, error) {
	drv, err := loadDriver()
	if err != nil {
		return 0, err
	}
	return deviceCount(drv)
}
