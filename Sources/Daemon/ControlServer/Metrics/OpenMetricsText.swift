/// Writes an exposition in the OpenMetrics text format, version 1.0.0.
struct OpenMetricsText {
    private(set) var text = ""

    /// The type of a metric family.
    enum Kind: String {
        case gauge, counter, histogram, info
    }

    /// A sample of a family.
    struct Sample {
        var suffix = ""
        var labels: [(String, String)] = []
        var value: Double

        init(_ value: Double) { self.value = value }

        /// Creates a sample with one label.
        init(_ label: String, _ labelValue: String, _ value: Int) {
            self.labels = [(label, labelValue)]
            self.value = Double(value)
        }

        init(suffix: String, labels: [(String, String)] = [], value: Double) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    /// Adds a family, whose name must end with its unit if it has one (OpenMetrics §4.2).
    mutating func family(_ name: String, _ kind: Kind, unit: String? = nil, help: String, _ samples: [Sample])
    {
        text += "# TYPE \(name) \(kind.rawValue)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(help)\n"
        for sample in samples {
            let suffix = kind == .counter ? "_total" : kind == .info ? "_info" : sample.suffix
            let labels = sample.labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
            text += "\(name)\(suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(sample.value))\n"
        }
    }

    /// Adds a histogram of seconds; its buckets are cumulative (OpenMetrics §5.3).
    mutating func histogram(_ name: String, help: String, _ histogram: Histogram) {
        var samples: [Sample] = []
        var sum = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            sum += count
            samples.append(Sample(suffix: "_bucket", labels: [("le", "\(bound)")], value: Double(sum)))
        }
        let all = Double(histogram.count)
        samples.append(Sample(suffix: "_bucket", labels: [("le", "+Inf")], value: all))
        samples.append(Sample(suffix: "_count", value: all))
        samples.append(Sample(suffix: "_sum", value: histogram.sum))
        family(name, .histogram, unit: "seconds", help: help, samples)
    }

    /// Adds facts that aren't numbers, as the labels of a sample with value 1.
    mutating func info(_ name: String, help: String, _ labels: [(String, String)]) {
        family(name, .info, help: help, [Sample(suffix: "", labels: labels, value: 1)])
    }

    /// The complete exposition.
    var closed: String { text + "# EOF\n" }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? String(value)
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value {
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
        return text
    }
}
