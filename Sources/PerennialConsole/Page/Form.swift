/// A form. It posts to `path` with the session's CSRF token, which the frame adds and checks.
struct Form: Sendable {
    var path: String
    var fields: [Field]
    var submit: Text
    /// An error that belongs to no field.
    var error: Text?
    /// Names what the action touches: "ends access for 312 subscribers".
    var warning: Text?
    /// The word that has to be typed before the action, where it can't be undone.
    var confirmation: String?
    var isDangerous = false
    /// True if a field holds a file (`multipart/form-data`).
    var sendsFiles = false
    /// GET forms show a page; they need no token.
    var isQuery = false
    /// True for a few short fields that stand beside each other.
    var isRow = false
    var same: SameCommand?
    /// The path to which a script sends the file by itself, with progress: PUT, with the file's name in the query's `name`
    /// beside the other fields. Without a script the form posts to ``path``.
    var uploadPath: String?

    init(
        _ path: String, submit: Text, error: Text? = nil, warning: Text? = nil, confirmation: String? = nil,
        isDangerous: Bool = false, sendsFiles: Bool = false, isQuery: Bool = false, isRow: Bool = false,
        same: SameCommand? = nil, _ fields: [Field]
    ) {
        self.path = path
        self.submit = submit
        self.error = error
        self.warning = warning
        self.confirmation = confirmation
        self.isDangerous = isDangerous
        self.sendsFiles = sendsFiles
        self.isQuery = isQuery
        self.isRow = isRow
        self.same = same
        self.fields = fields
    }
}

/// A field of a form.
struct Field: Sendable {
    enum Kind: Sendable {
        case text
        case password
        case number
        case date
        case time
        case multiline(rows: Int)
        case choice([Option])
        /// A box: `on` if it is ticked.
        case box
        case file(accepting: String)
        case hidden
    }

    struct Option: Sendable {
        var value: String
        var text: Text

        init(_ value: String, _ text: Text) {
            self.value = value
            self.text = text
        }
    }

    var name: String
    var label: Text
    var kind = Kind.text
    var value = ""
    /// Values that may be entered, below the field.
    var hint: Text?
    /// The right values, at the field.
    var error: Text?
    var isRequired = false
    var maximumLength: Int?
    /// Value that a browser may fill in, as in HTML's `autocomplete`: `username`, `new-password`.
    var completion: String?

    init(
        _ name: String, _ label: Text, _ kind: Kind = .text, value: String = "", hint: Text? = nil, error: Text? = nil,
        isRequired: Bool = false, maximumLength: Int? = nil, completion: String? = nil
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        self.value = value
        self.hint = hint
        self.error = error
        self.isRequired = isRequired
        self.maximumLength = maximumLength
        self.completion = completion
    }

    static func hidden(_ name: String, _ value: String) -> Field { Field(name, .none, .hidden, value: value) }
}

/// The values that a form was sent with.
struct FormValues: Sendable {
    private let values: [String: [String]]
    /// The files of a form with files, by their fields' names.
    let files: [String: UploadedFile]

    init(_ values: [String: [String]], files: [String: UploadedFile] = [:]) {
        self.values = values
        self.files = files
    }

    /// Returns a field's value without white space at its ends; empty if it wasn't sent.
    subscript(_ name: String) -> String {
        (values[name]?.last ?? "").trimmed
    }

    func all(_ name: String) -> [String] { values[name] ?? [] }
    func isTicked(_ name: String) -> Bool { values[name]?.last == "on" }
    /// Returns a field's value, or `nil` if it is empty.
    func optional(_ name: String) -> String? { self[name].isEmpty ? nil : self[name] }
}

/// A file that was sent with a form.
struct UploadedFile: Sendable {
    var name: String
    var bytes: [UInt8]
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
