import ControlAPI

/// Tests write words as they go over the socket; what programs do with them is spelled by case.
extension APIWord: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
