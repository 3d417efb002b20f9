import ArgumentParser
import ControlAPI

extension JobJSON.State: ExpressibleByArgument {
    /// All cases as a list, for help texts.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension DetectionJSON.Engine: ExpressibleByArgument {
    /// All cases as a list, for help texts.
    static var list: String { allCases.map(\.rawValue).joined(separator: " or ") }
}
