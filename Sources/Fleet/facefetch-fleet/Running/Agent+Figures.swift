import Glibc
import SmallFiles

extension Agent {
    /// Now and then writes the figures where the settings want them, whole or not at all.
    func writeFigures() {
        guard let path = settings.metrics, now - writtenAt >= settings.timing.heartbeat else { return }
        writtenAt = now
        let standing = AgentFigures.Standing(
            held: slices.count,
            waiting: slices.waitingCount,
            buckets: shares?.mine ?? 0,
            uploads: window.uploadCount,
            lease: Int(lease.left(at: now).components.seconds),
            time: time(nil)
        )
        let bytes = Array(figures.text(standing, node: settings.node).utf8)
        // A name that the node exporter doesn't read. Nothing is synced: after a power cut there are new figures.
        let unfinished = path + ".part"
        let file = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard file >= 0 else { return note("metrics", "\(unfinished): \(String(cString: strerror(errno)))") }
        let isWhole = (try? WholeFile.write(bytes, to: file)) != nil
        guard close(file) == 0, isWhole, rename(unfinished, path) == 0 else {
            return note("metrics", "\(path) can't be written: \(String(cString: strerror(errno)))")
        }
    }
}
