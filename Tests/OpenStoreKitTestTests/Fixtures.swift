import Foundation
import OpenStoreKitTest

/// Configuration files of the tests.
enum Fixtures {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures", isDirectory: true)
    static let magazine = folder.appendingPathComponent("Magazine.storekit")

    static let offers = folder.appendingPathComponent("Offers.storekit")

    static let film = "com.example.photomag.film.roll"
    static let silver = "com.example.photomag.filter.silver"
    static let amber = "com.example.photomag.filter.amber"
    static let archive = "com.example.photomag.archive.1week"
    static let yearly = "com.example.photomag.magazine.yearly"
    static let monthly = "com.example.photomag.magazine.monthly"
    static let weekly = "com.example.photomag.magazine.weekly"
    static let group = "5E0A71C2"
    static let offerGroup = "6E0A71C2"

    static func session() throws -> SKTestSession { try SKTestSession(contentsOf: magazine) }

    /// Runs a test with a session of its own, beside those of other tests.
    static func withSession(
        of file: URL = magazine, _ body: (SKTestSession) async throws -> Void
    ) async throws {
        let session = try SKTestSession(contentsOf: file)
        try await session.withSession { try await body(session) }
    }
}

/// A folder that goes with the test.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "OpenStoreKitTestTests-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func folder(_ name: String) throws -> URL {
        let folder = url.appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Text of a configuration file with one consumable.
func configuration(product: String, price: String = "0.99", settings: String = "{}") -> String {
    """
    {
      "identifier" : "AB12CD34", "nonRenewingSubscriptions" : [], "settings" : \(settings), "subscriptionGroups" : [],
      "products" : [{
        "displayPrice" : "\(price)", "familyShareable" : false, "internalID" : "6A7B8C9D",
        "localizations" : [{"description" : "A thing", "displayName" : "Thing", "locale" : "en_US"}],
        "productID" : "\(product)", "referenceName" : "Thing", "type" : "Consumable"
      }],
      "version" : {"major" : 4, "minor" : 0}
    }
    """
}
