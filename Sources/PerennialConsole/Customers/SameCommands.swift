import Foundation
import Perennial

extension PageRequest {
    /// Returns the command line and the call that do the same in the page's environment and app.
    ///
    /// - Parameters:
    ///   - command: Without the program's name.
    ///   - namesApp: True for a command with the option `--app`, which a store with several apps needs.
    func sameHere(_ command: String, namesApp: Bool = false, _ call: SameCommand.Call? = nil) -> SameCommand {
        var words = command
        if namesApp, apps.count > 1, let app { words += " --app \(app.bundleID.rawValue)" }
        if environment.id != .sandbox { words += " --environment \(environment.name)" }
        return SameCommand(words, call)
    }

    /// Returns the command line and the call that list the rows of a page, with the page's filters.
    func sameList(
        _ command: String, _ path: String, namesApp: Bool = false, _ filters: [SameFilter]
    ) -> SameCommand {
        let options = filters.filter { !$0.option.isEmpty }.map { " --\($0.name) \(shellQuoted($0.option))" }
        let fields = filters.filter { !$0.field.isEmpty }.map { "\($0.parameter)=\(ConsolePath.encoded($0.field))" }
        let query = ["limit=\(CustomersChapter.pageSize)"] + fields
        return sameHere(
            "\(command)\(options.joined()) --limit \(CustomersChapter.pageSize)", namesApp: namesApp,
            .init("GET", "\(path)?\(query.joined(separator: "&"))"))
    }

    /// Returns the path of a customer's page, or of one below it.
    func customerPath(_ name: String, _ rest: String = "", after cursor: String? = nil) -> String {
        path("customers/\(ConsolePath.encoded(name))\(rest)", ["after": cursor ?? ""])
    }

    /// Returns the path of a page of an app; of the page's own if none is named.
    func path(to page: String, of bundleID: App.BundleID?) -> String {
        ConsolePath.page(page, environment: environment.name, app: (bundleID ?? app?.bundleID)?.rawValue)
    }

    /// Returns a cell that leads to a customer. Only visitors with the role for support see customers.
    func customerCell(_ name: String, of bundleID: App.BundleID? = nil) -> Cell {
        guard !name.isEmpty, allows(.support) else { return Cell(.none) }
        return Cell(.data(name), path: path(to: "customers/\(ConsolePath.encoded(name))", of: bundleID))
    }

    /// Returns a cell that leads to a transaction, for visitors who may open it.
    func transactionCell(_ id: TransactionID, of bundleID: App.BundleID? = nil) -> Cell {
        .id(id.description, path: allows(.support) ? path(to: "transactions/\(id)", of: bundleID) : nil)
    }

    /// Returns a cell that leads to a product.
    func productCell(_ id: Product.ID) -> Cell {
        Cell(.data(id.rawValue), path: path("products/\(ConsolePath.encoded(id.rawValue))"))
    }
}

/// A filter of a list: as an option of a command and as a parameter of a call. An empty value filters nothing.
struct SameFilter {
    var name: String
    var parameter: String
    /// The option's value.
    var option: String
    /// The parameter's value.
    var field: String

    init(_ name: String, _ parameter: String, option: String, field: String) {
        self.name = name
        self.parameter = parameter
        self.option = option
        self.field = field
    }

    init(_ name: String, _ parameter: String, _ value: String) {
        self.init(name, parameter, option: value, field: value)
    }
}

extension RawRepresentable<String> {
    /// The word as the command line spells it: `givenUp` is `given-up`.
    var option: String { rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined() }
}

/// Quotes an argument of a command line for a shell, where it needs that.
enum ShellWord {
    static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "@"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"), UInt8(ascii: "+"):
                    true
                default: false
                }
            }
        return isPlain
            ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// JSON for the body of a call.
enum JSONText {
    /// Returns an object of texts, in the given order.
    static func object(_ members: KeyValuePairs<String, String>) -> String {
        "{" + members.map { "\(quoted($0.key)):\(quoted($0.value))" }.joined(separator: ",") + "}"
    }

    /// Returns an object of texts, by name.
    static func sorted(_ members: [String: String]) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(quoted($0.value))" }.joined(separator: ",")
            + "}"
    }

    /// Returns the body of a purchase without charge.
    static func grant(app: String, account: String, product: String) -> String {
        let purchase = object(["bundleId": app, "account": account, "productId": product])
        return purchase.dropLast() + #","free":true,"reason":"goodwill"}"#
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
