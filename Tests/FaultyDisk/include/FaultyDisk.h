#ifndef FAULTYDISK_H
#define FAULTYDISK_H

// A disk that fails on command, for a real program: preload this library
// (LD_PRELOAD, ld.so(8)) and name a file of rules in FAULTY_DISK_RULES. While
// the file is there, each of its lines makes calls fail,
//
//     write 28 partial/1.part
//
// is: pwrite to any file whose path has "partial/1.part" in it fails with
// errno 28 (ENOSPC). `sync` stands for fsync and fdatasync; `rename` for
// renameat2 and `link` for linkat, into a directory with such a path. Nothing
// is done then; every other call goes to the system. `write -5 …` lets five
// writes through, and kills the program at the end of the fifth; `link` can do
// that, too. `clock -3600 -` sets the wall clock back by an hour, and no other
// clock (clock_gettime(2)).

// The variable that names the file of rules.
#define FAULTY_DISK_RULES "FAULTY_DISK_RULES"

#endif
