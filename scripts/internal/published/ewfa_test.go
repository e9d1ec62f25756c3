package published

import (
	"strconv"
	"testing"
)

func TestEditFactors(t *testing.T) {
	factors, err := EditFactors()
	if err != nil {
		t.Fatal(err)
	}
	if len(factors) != 8 {
		t.Errorf("%d factors", len(factors))
	}
	for _, f := range factors {
		most, err := strconv.ParseFloat(f.Most, 64)
		if err != nil || most <= 1 || f.Device != "CPU" && f.Device != "GPU" {
			t.Errorf("%+v: %v", f, err)
		}
		if least, err := strconv.ParseFloat(f.Least, 64); f.Least != "" && (err != nil || least >= most) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}
