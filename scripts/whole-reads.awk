# Takes PAF of a mapper (minimap2 -c --secondary=no) and leaves the first hit of each read, the best
# one, widened to the whole read: what is clipped at an end of the read is added to the target,
# as far as that goes. Left out are reads of which fewer letters than `least` or a smaller share
# than `share` are aligned (50 and 0.9), and with most=N all but the first N.
BEGIN {
	FS = OFS = "\t"
	if (least == "") least = 50
	if (share == "") share = 0.9
}
$1 == last { next }
{ last = $1 }
!/\ttp:A:P/ || $4 - $3 < least || $4 - $3 < share * $2 { next }
most != "" && ++kept > most { next }
{
	before = $3; after = $2 - $4
	if ($5 == "-") { before = after; after = $3 }
	$3 = 0; $4 = $2
	$8 = $8 > before ? $8 - before : 0
	$9 = $9 + after < $7 ? $9 + after : $7
	print
}
