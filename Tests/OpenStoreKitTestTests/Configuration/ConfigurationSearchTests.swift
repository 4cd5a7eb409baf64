import Foundation
import Testing

@testable import OpenStoreKitTest

@Suite("Search of configuration files")
struct ConfigurationSearchTests {
    private let place: TemporaryFolder
    private let search: ConfigurationSearch

    init() throws {
        place = try TemporaryFolder()
        search = ConfigurationSearch(
            mainBundle: try place.folder("main"), executableFolder: try place.folder("build"),
            workingDirectory: try place.folder("work"))
    }

    private func path(of name: String) throws -> String {
        let found = try search.file(named: name).standardizedFileURL.path
        let base = place.url.standardizedFileURL.path
        return found.hasPrefix(base) ? String(found.dropFirst(base.count + 1)) : found
    }

    @Test("A name may lack the extension")
    func extensionIsOptional() throws {
        try place.write("{}", to: "work/Shop.storekit")
        #expect(try path(of: "Shop") == "work/Shop.storekit")
        #expect(try path(of: "Shop.storekit") == "work/Shop.storekit")
    }

    @Test("The name as it is comes before the one with the extension")
    func exactNameFirst() throws {
        try place.write("{}", to: "work/Shop.storekit")
        try place.write("{}", to: "work/Shop")
        #expect(try path(of: "Shop") == "work/Shop")
    }

    @Test("Bundles are searched before the executable's and the working directory")
    func order() throws {
        let places = [
            "work", "build", "build/App_App.resources", "build/App_AppTests.resources", "main",
        ]
        for folder in places {
            try place.write("{}", to: "\(folder)/Shop.storekit")
            #expect(try path(of: "Shop") == "\(folder)/Shop.storekit")
        }
    }

    @Test("A folder with the name is no file")
    func foldersDoNotCount() throws {
        _ = try place.folder("main/Shop.storekit")
        try place.write("{}", to: "work/Shop.storekit")
        #expect(try path(of: "Shop") == "work/Shop.storekit")
    }

    @Test("A missing file is an error with the places that were searched")
    func missing() throws {
        let error = #expect(throws: SKTestError.self) { try search.file(named: "Shop") }
        #expect(error?.code == .fileNotFound)
        for part in ["Shop.storekit", "main", "build", "work"] {
            #expect(error?.localizedDescription.contains(part) == true)
        }
    }
}
