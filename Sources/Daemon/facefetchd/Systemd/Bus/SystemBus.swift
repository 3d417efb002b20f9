import CDaemon
import Glibc

/// A connection to the system bus (sd-bus(3)), for one thread.
///
/// It is explicitly not Sendable.
final class SystemBus {
    /// The failure of a call, after which the connection may be gone.
    struct Failure: Error {
        /// The errno.
        var errno: Int32
        /// The name of the error on the bus, if the answer was one.
        var name: String?

        /// True if nobody has the name that was called.
        var isAbsence: Bool {
            let absent = ["ServiceUnknown", "NameHasNoOwner"].map { "org.freedesktop.DBus.Error." + $0 }
            return name.map(absent.contains) ?? false
        }

        /// True if the bus itself is gone.
        var isDisconnection: Bool {
            [ENOTCONN, ECONNRESET, ENETRESET, EPIPE, ESTALE, ECHILD, EBADF].contains(errno)
        }

        /// A description for people.
        var words: String { name ?? String(cString: strerror(errno)) }
    }

    private let bus: OpaquePointer

    /// The longest time in microseconds to wait for an answer.
    private static let patience: UInt64 = 5_000_000

    /// Connects to the system bus, or to the bus at another address.
    init(address: String? = nil) throws(Failure) {
        var bus: OpaquePointer?
        let result: Int32
        if let address {
            result = Self.connect(&bus, to: address)
        } else {
            result = sd_bus_open_system(&bus)
        }
        guard result >= 0, let bus else {
            if let bus { sd_bus_unref(bus) }
            throw Failure(errno: -result)
        }
        self.bus = bus
    }

    deinit {
        sd_bus_close(bus)
        sd_bus_unref(bus)
    }

    private static func connect(_ bus: inout OpaquePointer?, to address: String) -> Int32 {
        let made = sd_bus_new(&bus)
        guard made >= 0, let bus else { return made }
        let results = [sd_bus_set_address(bus, address), sd_bus_set_bus_client(bus, 1)]
        if let failed = results.first(where: { $0 < 0 }) { return failed }
        return sd_bus_start(bus)
    }

    /// Asks to be sent the signals that a rule matches.
    func listen(to rule: String) throws(Failure) {
        let result = sd_bus_add_match(bus, nil, rule, nil, nil)
        if result < 0 { throw Failure(errno: -result) }
    }

    /// Returns a property that is a number, without starting a service that isn't running.
    func number(
        _ property: String,
        of path: String,
        interface: String,
        at service: String
    ) throws(Failure) -> UInt32 {
        var call: OpaquePointer?
        let made = sd_bus_message_new_method_call(
            bus,
            &call,
            service,
            path,
            "org.freedesktop.DBus.Properties",
            "Get"
        )
        guard made >= 0, let call else { throw Failure(errno: -made) }
        defer { sd_bus_message_unref(call) }
        let text = CChar(UInt8(ascii: "s"))
        let results = [
            sd_bus_message_set_auto_start(call, 0),
            sd_bus_message_append_basic(call, text, interface),
            sd_bus_message_append_basic(call, text, property),
        ]
        if let failed = results.first(where: { $0 < 0 }) { throw Failure(errno: -failed) }
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        var answer: OpaquePointer?
        let called = sd_bus_call(bus, call, Self.patience, &error, &answer)
        guard called >= 0, let answer else {
            throw Failure(errno: -called, name: error.name.map { String(cString: $0) })
        }
        defer { sd_bus_message_unref(answer) }
        var number: UInt32 = 0
        let entered = sd_bus_message_enter_container(answer, CChar(UInt8(ascii: "v")), "u")
        guard entered > 0, sd_bus_message_read_basic(answer, CChar(UInt8(ascii: "u")), &number) > 0 else {
            throw Failure(errno: EBADMSG)
        }
        return number
    }

    /// Waits for a signal; returns false once the other descriptor can be read.
    func waitForSignal(or other: Int32) throws(Failure) -> Bool {
        while true {
            var message: OpaquePointer?
            let result = sd_bus_process(bus, &message)
            guard result >= 0 else { throw Failure(errno: -result) }
            let isSignal = message.map { sd_bus_message_is_signal($0, nil, nil) > 0 } ?? false
            if let message { sd_bus_message_unref(message) }
            if isSignal { return true }
            // Only once there is nothing left to process may it be waited for.
            guard result == 0 else { continue }
            guard try wait(or: other) else { return false }
        }
    }

    private func wait(or other: Int32) throws(Failure) -> Bool {
        let (descriptor, events) = (sd_bus_get_fd(bus), sd_bus_get_events(bus))
        guard descriptor >= 0, events >= 0 else { throw Failure(errno: -min(descriptor, events)) }
        var waited = [
            pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        // Nothing is asked without waiting for its answer, so there is no time limit to keep.
        if poll(&waited, nfds_t(waited.count), -1) < 0, errno != EINTR { throw Failure(errno: errno) }
        return waited[1].revents == 0
    }
}
