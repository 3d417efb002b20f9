import ControlAPI
import JobCore
import JobEngine

// The translation between the enumerations of JobCore and JobEngine and the words of the API: one place
// for each, whose completeness the compiler checks.

extension JobJSON.State {
    /// Creates the API's word for a state.
    init(_ state: JobState) {
        switch state {
        case .queued: self = .queued
        case .downloading: self = .downloading
        case .stored: self = .stored
        case .detecting: self = .detecting
        case .done: self = .done
        case .waiting: self = .waiting
        case .paused: self = .paused
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}

extension JobState {
    /// Creates the state that a word of the API stands for; nil if there is none.
    init?(inAPI text: String) {
        guard let state = Self.allCases.first(where: { JobJSON.State($0).rawValue == text }) else {
            return nil
        }
        self = state
    }
}

extension JobJSON.Ending {
    /// Puts the ending of a job into the words of the API.
    init(_ ending: JobEnding) {
        switch ending {
        case .stored: self = .stored
        case .done: self = .done
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        }
    }
}

extension JobEnding {
    /// The ending that a text of the API names; nil if there is none.
    init?(inAPI text: String) {
        guard let ending = Self.allCases.first(where: { JobJSON.Ending($0).rawValue == text }) else {
            return nil
        }
        self = ending
    }
}

extension JobJSON.Length {
    /// Creates the API's word for whether a length is proven.
    init(_ length: LengthProof) {
        switch length {
        case .proven: self = .proven
        case .unproven: self = .unproven
        }
    }
}

extension DetectionJSON.Outcome {
    /// Creates the API's word for an outcome of detection.
    init(_ outcome: DetectionOutcome) {
        switch outcome {
        case .counted: self = .counted
        case .unreadable: self = .unreadable
        case .crashed: self = .crashed
        case .timedOut: self = .timedOut
        case .skipped: self = .skipped
        }
    }
}

extension StatusJSON.Hold.Kind {
    /// Creates the API's word for a kind of obstacle.
    init(_ kind: EngineHold.Kind) {
        switch kind {
        case .disk: self = .disk
        case .network: self = .network
        case .storage: self = .storage
        case .hours: self = .hours
        case .metered: self = .metered
        }
    }
}
