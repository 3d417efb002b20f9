import Glibc

guard let trial = FuzzedTrial.trial else {
    // The names go to whoever runs all of them.
    print(ParserTrial.allCases.map(\.rawValue).joined(separator: " "))
    exit(FuzzedTrial.name == nil ? 0 : 2)
}
exit(FuzzedTrial.run(trial))
