import AppStoreFormats
import Foundation

/// The connection that the process's environment variables name, for programs that don't make one.
///
/// * `PERENNIAL_STORE_URL`: base URL of an environment of the store.
/// * `PERENNIAL_BUNDLE_ID`: bundle ID of the app.
/// * `PERENNIAL_ACCOUNT`, `PERENNIAL_PASSWORD`: the customer's account; a test account has no password.
/// * `PERENNIAL_APP_VERSION`: version of the app; without it the one of the main bundle, or else 1.0.
/// * `PERENNIAL_ROOT_CERTIFICATE`: path of the root certificate of signed transactions, in DER or PEM. Without it the store's root is
///   pinned at the first contact; with one that can't be used there is no connection.
/// * `PERENNIAL_STOREKIT_FOLDER`: folder for receipts and purchases; without it, one in the user's application support folder.
package enum EnvironmentStore {
    /// The connection; `nil` without variables. Made once.
    static let connection: StoreConnection? = make(ProcessInfo.processInfo.environment)

    /// Makes the connection that variables name; `nil` without them.
    package static func make(_ variables: [String: String]) -> StoreConnection? {
        guard let address = variables["PERENNIAL_STORE_URL"] else { return nil }
        guard let url = URL(string: address), url.host != nil, let bundleID = variables["PERENNIAL_BUNDLE_ID"],
            let account = variables["PERENNIAL_ACCOUNT"]
        else {
            report("PERENNIAL_STORE_URL needs to be a URL, with PERENNIAL_BUNDLE_ID and PERENNIAL_ACCOUNT beside it.")
            return nil
        }
        guard let roots = rootCertificates(variables["PERENNIAL_ROOT_CERTIFICATE"]) else { return nil }
        let folder =
            variables["PERENNIAL_STOREKIT_FOLDER"].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? applicationSupport.appendingPathComponent("org.perennial.OpenStoreKit", isDirectory: true)
        let bundleVersion = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        guard let device = deviceID(in: folder) else { return nil }
        return StoreConnection(
            baseURL: url, bundleID: bundleID, account: account, password: variables["PERENNIAL_PASSWORD"],
            deviceID: device, language: Locale.preferredLanguages.first ?? "en-US",
            applicationVersion: variables["PERENNIAL_APP_VERSION"] ?? bundleVersion ?? "1.0",
            storageFolder: folder, rootCertificates: roots)
    }

    /// Returns the trusted roots; `nil` if they were named and can't be used. A connection that trusted another root instead, or that
    /// charged for purchases which it can't verify, would be worse than none.
    private static func rootCertificates(_ path: String?) -> [Data]? {
        guard let path else { return [] }
        do {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            return try CertificateFile.certificates(in: bytes).map { Data($0) }
        } catch let error as CertificateChainError {
            report("PERENNIAL_ROOT_CERTIFICATE: \(path) is no certificate in DER or PEM: \(error)")
        } catch {
            report("PERENNIAL_ROOT_CERTIFICATE: \(path) can't be read: \(error.localizedDescription)")
        }
        return nil
    }

    /// Writes that there is no store, once in a process.
    static func reportNoStore() {
        report(
            "no store is connected: products are empty and purchases fail. Make an SKTestSession, call "
                + "StoreConnection.makeCurrent(), or set PERENNIAL_STORE_URL, PERENNIAL_BUNDLE_ID and PERENNIAL_ACCOUNT."
        )
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data("StoreKit: \(text)\n".utf8))
    }

    private static var applicationSupport: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
    }

    /// Returns the device's identifier in the folder, made at the first use; `nil` if it can't be read. With another one the purchases on
    /// this device would be refused as those of another device.
    private static func deviceID(in folder: URL) -> UUID? {
        let files = FolderStore(folder: folder)
        let name = "device-id"
        func stored() throws -> UUID? {
            try files.read(name).flatMap { UUID(uuidString: String(decoding: $0, as: UTF8.self)) }
        }
        do {
            if let id = try stored() { return id }
            let new = DeviceDependencies.device.uuid()
            do {
                // Of several processes at a new folder, one makes the identifier.
                return try files.withLock(name + ".lock") {
                    if let id = try stored() { return id }
                    try files.write(Data(new.uuidString.utf8), to: name)
                    return new
                }
            } catch {
                // A folder that can't be written keeps no purchases, either.
                return try stored() ?? new
            }
        } catch {
            report("the device's identifier in \(folder.path) can't be read: \(error)")
            return nil
        }
    }
}
