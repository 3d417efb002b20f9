import ArgumentParser
import ControlAPI

extension JobJSON.State: ExpressibleByArgument {
    /// All of them, for help texts.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension DetectionJSON.Engine: ExpressibleByArgument {
    /// All of them, for help texts.
    static var list: String { allCases.map(\.rawValue).joined(separator: " or ") }
}
