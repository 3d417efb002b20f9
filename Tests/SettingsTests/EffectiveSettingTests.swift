import Testing

@testable import Settings

/// Tests of how much of a setting's value is printed.
struct EffectiveSettingTests {
    @Test(
        "Of an address that can hold a token only its origin is shown, of all else the whole",
        arguments: [
            ("webhook.url", "https://hooks.org:8443/T0KEN?k=T0KEN", "https://hooks.org:8443/…"),
            ("webhook.url", "https://ann:T0KEN@hooks.example.org", "https://hooks.example.org/…"),
            ("webhook.url", "http://h?k=T0KEN", "http://h/…"), ("webhook.url", "http://h", "http://h"),
            ("reporting.dsn", "https://T0KEN@hooks.org:8443/p/3", "https://hooks.org:8443/…"),
            ("webhook.url", "", ""), ("transfer.user-agent", "a://b/c", "a://b/c"),
        ]
    )
    func shown(key: String, value: String, shown: String) {
        let setting = EffectiveSetting(key: key, value: value, source: .fallback)
        #expect(setting.shown == shown)
    }

    @Test(
        "One that is wrong isn't quoted",
        arguments: [
            "hooks.example.org/T0KEN", "ftp://hooks.org/T0KEN", "https:///T0KEN", "https://h/T0KEN \u{7}",
        ]
    )
    func wrong(value: String) {
        let error = #expect(throws: SettingsError.self) {
            try DaemonSettings.load(
                flags: SettingsFlags(),
                environment: ["HOME": "/nowhere", "FACEFETCH_WEBHOOK_URL": value]
            )
        }
        let text = "\(String(describing: error))"
        #expect(text.contains("webhook.url: expected a URL") && !text.contains("T0KEN"), "\(text)")
    }

    @Test(
        "Nor is a receiver of reports",
        arguments: ["https://h/T0KEN", "https://T0KEN@h", "https://T0KEN@h/1?x", "T0KEN"]
    )
    func wrongDSN(value: String) {
        let error = #expect(throws: SettingsError.self) {
            try DaemonSettings.load(
                flags: SettingsFlags(),
                environment: ["HOME": "/nowhere", "FACEFETCH_REPORTING_DSN": value]
            )
        }
        let text = "\(String(describing: error))"
        #expect(text.contains("reporting.dsn: expected a DSN") && !text.contains("T0KEN"), "\(text)")
    }
}
