import Dispatch
import Glibc

/// Waits for what other processes do to the files of a folder, as the kernel tells it (inotify(7)).
public enum FolderWatch {
    /// Waits until a condition holds, which is asked for again with every change in the folder;
    /// false when it takes too long.
    public static func until(
        in folder: String,
        seconds: Double = 300,
        _ condition: @escaping @Sendable () -> Bool
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: wait(in: folder, seconds: seconds, condition))
            }
        }
    }

    private static func wait(in folder: String, seconds: Double, _ condition: () -> Bool) -> Bool {
        let changes = inotify_init1(Int32(IN_CLOEXEC))
        guard changes >= 0 else { return false }
        defer { close(changes) }
        let kinds = IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM
        guard inotify_add_watch(changes, folder, UInt32(kinds)) >= 0 else { return false }
        let deadline = ContinuousClock.now + .seconds(seconds)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // Watched before it is asked for, so that nothing can come between.
        while !condition() {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            var waiting = pollfd(fd: changes, events: Int16(POLLIN), revents: 0)
            // One more, since what is left of a millisecond isn't waited for.
            _ = poll(&waiting, 1, Int32(left / .milliseconds(1)) + 1)
            if waiting.revents & Int16(POLLIN) != 0 { _ = read(changes, &buffer, buffer.count) }
        }
        return true
    }
}
