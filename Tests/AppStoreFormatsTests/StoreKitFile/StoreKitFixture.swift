import Foundation
import TestRandomness

/// A real `.storekit` file of another project; `Fixtures/SOURCES.txt` says where each comes from.
enum StoreKitFixture: String, CaseIterable, Sendable, CustomStringConvertible {
    case flutter1_1 = "RevenueCat-purchases-flutter-RevenueCast_PurchaseTesterTypescriptConfiguration"
    case apphud2_0 = "apphud-ApphudSDK-Configuration"
    case tester3_0 = "RevenueCat-purchases-ios-PurchaseTesterStoreKitConfiguration"
    case mercato4_0 = "tikhop-Mercato-Mercato"
    case units5_0 = "RevenueCat-purchases-ios-UnitTestsConfiguration"

    var description: String { rawValue }

    func bytes() throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures")
        return [UInt8](try Data(contentsOf: folder.appending(path: "\(rawValue).storekit")))
    }
}

extension SeededGenerator {
    /// The bytes with up to four changes: a byte replaced, a stretch removed, doubled or exchanged for a piece of syntax.
    mutating func mutated(_ original: [UInt8], syntax: [String]) -> [UInt8] {
        var bytes = original
        for _ in 0...Int.random(in: 0..<4, using: &self) where !bytes.isEmpty {
            let start = Int.random(in: 0..<bytes.count, using: &self)
            let end = min(bytes.count, start + Int.random(in: 1...24, using: &self))
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            default: bytes.replaceSubrange(start..<end, with: (syntax.randomElement(using: &self) ?? "").utf8)
            }
        }
        return bytes
    }
}
