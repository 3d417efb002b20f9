import Synchronization

/// The bytes that are kept free on disks (`disk.reserve`), as the settings have them now.
final class DiskReserve: Sendable {
    private let current: Mutex<Int64>

    init(_ bytes: Int64) { current = Mutex(bytes) }

    /// The bytes to keep free.
    var bytes: Int64 { current.withLock(\.self) }

    /// Keeps so many free from now on.
    func set(_ bytes: Int64) { current.withLock { $0 = bytes } }
}
