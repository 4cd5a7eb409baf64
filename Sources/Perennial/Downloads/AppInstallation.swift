/// An app on a device of a customer.
package struct AppInstallation: Hashable, Sendable {
    /// The app's `identifierForVendor`, an upper-case UUID.
    package var device: String
    /// The kind of device; `nil` if the device has never said it.
    package var family: DeviceFamily?
    /// The app's version, such as `2.1.7`.
    package var version: String
    /// False after the app was removed from the device.
    package var isInstalled: Bool

    package init(device: String, family: DeviceFamily?, version: String, isInstalled: Bool = true) {
        self.device = device
        self.family = family
        self.version = version
        self.isInstalled = isInstalled
    }

    /// Compares two versions, such as `2.9` and `2.10`.
    ///
    /// Components are compared as numbers, and a missing one is 0, as in `CFBundleShortVersionString`. Components that
    /// aren't numbers are compared as texts.
    package static func isNewer(_ version: String, than other: String) -> Bool {
        let (one, two) = (components(version), components(other))
        for index in 0..<max(one.count, two.count) {
            let (first, second) = (index < one.count ? one[index] : "0", index < two.count ? two[index] : "0")
            if let a = Int64(first), let b = Int64(second) {
                if a != b { return a > b }
            } else if first != second {
                return first > second
            }
        }
        return false
    }

    private static func components(_ version: String) -> [Substring] {
        version.split(separator: ".", omittingEmptySubsequences: false)
    }
}
