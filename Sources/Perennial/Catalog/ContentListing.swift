/// The files of a product that the seller's server delivers.
package struct ContentListing: Hashable, Sendable, Codable {
    package struct Version: Hashable, Sendable, Codable {
        package var version: String
        package var fileName: String
        /// The size in bytes.
        package var size: Int64
        /// The SHA-256 digest in hexadecimal digits.
        package var sha256: String

        package init(version: String, fileName: String, size: Int64, sha256: String) {
            self.version = version
            self.fileName = fileName
            self.size = size
            self.sha256 = sha256
        }
    }

    /// Oldest first.
    package var versions: [Version]

    package init(versions: [Version] = []) {
        self.versions = versions
    }
}
