import Foundation

/// The working folder of the demo: a copy of the example's catalog and content, the servers' data, the devices.
struct DemoFolder: Sendable {
    /// The example's app.
    static let bundleID = "com.example.photomag"
    /// The example's large file, in bytes.
    static let largeFileSize = 3_200_000

    let url: URL
    let isKept: Bool

    var catalog: URL { url.appending(path: "catalog/catalog.yaml") }
    /// The catalog of another seller in the same store.
    var neighbour: URL { url.appending(path: "catalog/puzzles.yaml") }
    var content: URL { url.appending(path: "content", directoryHint: .isDirectory) }
    var largeFile: URL { content.appending(path: "generated/portraits.bin") }
    var storeData: URL { url.appending(path: "store", directoryHint: .isDirectory) }
    var storeLog: URL { url.appending(path: "store.log") }
    var deliveryData: URL { url.appending(path: "delivery", directoryHint: .isDirectory) }
    var deliveryLog: URL { url.appending(path: "delivery.log") }
    var devices: URL { url.appending(path: "devices", directoryHint: .isDirectory) }

    /// - Parameters:
    ///   - kept: Where it is to be; a temporary folder if omitted, which is removed at the end.
    ///   - examples: The folder that has `Magazine`.
    ///   - runtime: The folder for the temporary one.
    static func make(
        keeping kept: String?, examples: String, in runtime: RuntimeFolder = RuntimeFolder(), _ cleanup: Cleanup
    ) throws -> DemoFolder {
        let files = FileManager.default
        let example = URL(filePath: examples).appending(path: "Magazine")
        guard files.fileExists(atPath: example.appending(path: "catalog.yaml").path) else {
            throw CommandError(
                "there is no Magazine in \(examples): run it where the sources are, or name --examples FOLDER")
        }
        if let kept, files.fileExists(atPath: kept) {
            throw CommandError("\(kept) is there already: --keep makes a new folder")
        }
        let url = try kept.map { URL(filePath: $0) } ?? runtime.makeTemporaryFolder(named: "demo", cleanup)
        let folder = DemoFolder(url: url, isKept: kept != nil)
        try files.createDirectory(
            at: folder.url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try folder.fill(from: example)
        return folder
    }

    private func fill(from example: URL) throws {
        let files = FileManager.default
        for folder in [catalog.deletingLastPathComponent(), devices, deliveryData] {
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        for name in ["catalog.yaml", "Magazine.storekit"] {
            try files.copyItem(
                at: example.appending(path: name),
                to: catalog.deletingLastPathComponent().appending(path: name))
        }
        try files.copyItem(at: example.appending(path: "content"), to: content)
        try files.createDirectory(at: largeFile.deletingLastPathComponent(), withIntermediateDirectories: true)
        try largeBytes().write(to: largeFile)
        try Data(Self.neighbourCatalog.utf8).write(to: neighbour)
    }

    /// Bytes that no two places of the file share: a resumed download that skips or repeats some is found out.
    private func largeBytes() -> Data {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        let words = (0..<Self.largeFileSize / 8).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
        return words.withUnsafeBytes { Data($0) }
    }

    /// The bundle ID of the other seller's app.
    static let neighbourBundleID = "com.example.puzzles"

    private static let neighbourCatalog = """
        bundleId: com.example.puzzles
        appleId: 1600000002
        name: Puzzles
        products:
          - id: com.example.puzzles.pack
            type: non-consumable
            referenceName: Pack
            price: 1.99
            localizations:
              en_US: {name: A pack of puzzles, description: A hundred of them.}
          - id: com.example.puzzles.daily
            type: auto-renewable
            referenceName: Daily
            price: 0.99
            subscription: {group: Puzzles, period: P1M}
            localizations:
              en_US: {name: A puzzle a day, description: And a hard one on Sundays.}
        """

    /// The last lines of the servers' logs, for the error report.
    func lastWords() -> [String] {
        [storeLog, deliveryLog].flatMap { log -> [String] in
            guard let text = try? String(contentsOf: log, encoding: .utf8) else { return [] }
            let lines = text.split(separator: "\n").suffix(8)
            return lines.map { "\(log.lastPathComponent): \($0.prefix(240))" }
        }
    }
}
