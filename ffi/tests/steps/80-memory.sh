# The heap after many asynchronous calls. tests/nightly/c_tools makes 100,000, at most 16,384 at a time.
check "programs: the heap of many calls" compile "$work/heap_window" $sources/heap_window.c
check "the heap of many calls is given back" kept heap_window 14000 4096
grep KiB "$work/heap_window.txt"
