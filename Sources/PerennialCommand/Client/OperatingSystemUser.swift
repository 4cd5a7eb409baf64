import Foundation
import Perennial

/// The user who runs the command, whom the catalog's journal names.
enum OperatingSystemUser {
    private static let maximumLength = 64

    /// The name at the operating system; empty where it has none.
    static var name: String { String(NSUserName().filter { $0.isASCII && !$0.isNewline }.prefix(maximumLength)) }
}

extension CatalogActor {
    /// The author of what a command does to a catalog without a request.
    static var operatingSystemUser: CatalogActor {
        let name = OperatingSystemUser.name
        return name.isEmpty ? .control : .commandLine(name)
    }
}
