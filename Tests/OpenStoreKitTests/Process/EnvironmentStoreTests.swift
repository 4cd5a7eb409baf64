import AppStoreFormats
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
        #expect(connection.applicationVersion == "1.0")
        // The device stays the same over launches, and updates.
        let updated = EnvironmentStore.make(variables.merging(["PERENNIAL_APP_VERSION": "2.1"]) { $1 })
        #expect(updated?.deviceID == connection.deviceID)
        #expect(updated?.applicationVersion == "2.1")
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

    private static func pem(_ der: [UInt8]) -> String {
        let digits = Data(der).base64EncodedString(options: .lineLength64Characters)
        return "-----BEGIN CERTIFICATE-----\n\(digits)\n-----END CERTIFICATE-----\n"
    }

    private func variables(root: Data?, in device: Device) throws -> [String: String] {
        let file = device.folder.appendingPathComponent("root")
        try root?.write(to: file)
        return [
            "PERENNIAL_STORE_URL": "http://localhost:8080", "PERENNIAL_BUNDLE_ID": SignedStore.bundleID,
            "PERENNIAL_ACCOUNT": "ann@example.com", "PERENNIAL_STOREKIT_FOLDER": device.folder.path,
            "PERENNIAL_ROOT_CERTIFICATE": file.path,
        ]
    }

    @Test func `the named root is trusted and no other, in DER or PEM`() throws {
        let root = try SignedStore.identities.rootCertificate
        let other = try SignedStore.otherIdentities.rootCertificate
        let jws = try SignedStore().signed(.sold(1, "atlas"))
        let trusted = [Data(root), Data(Self.pem(root).utf8), Data((Self.pem(other) + Self.pem(root)).utf8)]
        let others = [Data(other), Data(Self.pem(other).utf8)]
        for (file, isTrusted) in trusted.map({ ($0, true) }) + others.map({ ($0, false) }) {
            let device = try Device()
            let connection = try #require(EnvironmentStore.make(variables(root: file, in: device)))
            #expect(connection.verification.failure(of: jws) == (isTrusted ? nil : .invalidCertificateChain))
        }
    }

    @Test func `a named root that can't be used is no leave to trust another one`() throws {
        let root = try SignedStore.identities.rootCertificate
        let cut = String(Self.pem(root).dropLast(40))
        for file in [nil, Data(), Data("not a certificate".utf8), Data(root.dropLast()), Data(cut.utf8)] {
            let device = try Device()
            #expect(try EnvironmentStore.make(variables(root: file, in: device)) == nil)
        }
        var variables = try variables(root: nil, in: Device())
        variables["PERENNIAL_ROOT_CERTIFICATE"] = ""
        #expect(EnvironmentStore.make(variables) == nil)
    }

    @Test func `an identifier that can't be read isn't replaced`() throws {
        let device = try Device()
        let file = device.folder.appendingPathComponent("device-id")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        var variables = try variables(root: nil, in: device)
        variables["PERENNIAL_ROOT_CERTIFICATE"] = nil
        #expect(EnvironmentStore.make(variables) == nil)
        try FileManager.default.removeItem(at: file)
        #expect(EnvironmentStore.make(variables) != nil)
    }
}
