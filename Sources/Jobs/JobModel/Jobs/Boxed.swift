/// Keeps an optional value out of the structure that it belongs to, for values that few have at a time.
///
/// A job is copied often, and most of what it can have is missing most of the time: without this, its copies
/// would take twice the memory, and the processor's caches would hold half as many.
@propertyWrapper
public struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Box: Hashable, Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }

        static func == (one: Box, other: Box) -> Bool { one === other || one.value == other.value }

        func hash(into hasher: inout Hasher) { hasher.combine(value) }
    }

    private var box: Box?

    /// Keeps a value; nil takes no memory.
    public init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

    /// The value.
    public var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }
}
