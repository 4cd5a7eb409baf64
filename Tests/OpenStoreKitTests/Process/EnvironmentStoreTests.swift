import Foundation
import OpenStoreKit
import Testing

struct EnvironmentStoreTests {
    @Test func `variables name the store, the app, the customer and the folder`() throws {
        let device = try Device()
        let variables = [
            "PERENNIAL_STORE_URL": "http://localhost:8080/sandbox", "PERENNIAL_BUNDLE_ID": "com.example.app",
            "PERENNIAL_ACCOUNT": "ann@example.com", "PERENNIAL_STOREKIT_FOLDER": device.folder.path,
        ]
        let connection = try #require(EnvironmentStore.make(variables))
        #expect(connection.baseURL.absoluteString == "http://localhost:8080/sandbox")
        #expect(connection.bundleID == "com.example.app")
        #expect(connection.account == "ann@example.com")
        #expect(connection.storageFolder.path == device.folder.path)
        #expect(connection.appStoreReceiptURL.path.hasPrefix(device.folder.path))
        // The device stays the same over launches.
        #expect(EnvironmentStore.make(variables)?.deviceID == connection.deviceID)
    }

    @Test(arguments: ["PERENNIAL_BUNDLE_ID", "PERENNIAL_ACCOUNT", "PERENNIAL_STORE_URL"])
    func `without one of the three there is no store`(missing: String) throws {
        var variables = [
            "PERENNIAL_STORE_URL": "http://localhost:8080", "PERENNIAL_BUNDLE_ID": "com.example.app",
            "PERENNIAL_ACCOUNT": "ann@example.com", "PERENNIAL_STOREKIT_FOLDER": try Device().folder.path,
        ]
        variables[missing] = nil
        #expect(EnvironmentStore.make(variables) == nil)
        variables[missing] = ""
        if missing == "PERENNIAL_STORE_URL" { #expect(EnvironmentStore.make(variables) == nil) }
    }
}
