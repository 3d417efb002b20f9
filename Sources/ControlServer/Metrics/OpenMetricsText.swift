/// Puts together an exposition in OpenMetrics text, version 1.0.0.
struct OpenMetricsText {
    private(set) var text = ""

    /// A kind of metric family.
    enum Kind: String {
        case gauge, counter, histogram, info
    }

    /// One sample of a family.
    struct Sample {
        var suffix = ""
        var labels: [(String, String)] = []
        var value: Double

        /// A sample without labels.
        init(_ value: Double) { self.value = value }

        /// A sample with one label.
        init(_ label: String, _ labelValue: String, _ value: Int) {
            self.labels = [(label, labelValue)]
            self.value = Double(value)
        }

        /// A sample of a histogram.
        init(suffix: String, labels: [(String, String)] = [], value: Double) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    /// Adds a family; a unit must be the end of its name (OpenMetrics §4.2).
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

    /// Adds words that are no figures: a sample of 1 that carries them as labels.
    mutating func info(_ name: String, help: String, _ labels: [(String, String)]) {
        family(name, .info, help: help, [Sample(suffix: "", labels: labels, value: 1)])
    }

    /// The whole exposition.
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
