# Lists the escapes from the checkers that have no reason: a comment on the same line or within six lines
# above, one right before the type, or one before the first declaration of the file about all of them.

FNR == 1 { reason = -6; forAll = 0; forType = 0; isPreamble = 1 }

/\/\/ .*([Ss]ound|[Ss]afe|[Uu]nsafe|[Uu]nchecked)/ {
  reason = FNR
  if (isPreamble && /unsafe|throughout/) forAll = 1
}
/^(@[a-zA-Z]+ )*((package|public|private|fileprivate|internal) )*(final |indirect )?(class|struct|enum|extension|protocol|actor|func|let|var) / {
  isPreamble = 0
  forType = FNR - reason <= 3
}
/^}/ { forType = 0 }

{
  code = $0
  gsub(/"[^"]*"/, "", code)
  isExplained = sub(/\/\/.*/, "", code) || forAll || forType || FNR - reason <= 6
  if (code ~ /(^|[^A-Za-z_.])unsafe |unsafeDowncast|unsafeBitCast|@unchecked|\(unchecked\)|\(unsafe\)|@_silgen_name/ && !isExplained) {
    printf "%s:%d: an escape from the checkers without a reason: %s\n", FILENAME, FNR, $0
    found = 1
  }
}

END { exit found }
