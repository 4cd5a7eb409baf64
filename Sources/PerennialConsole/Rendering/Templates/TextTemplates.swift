/// The markup of texts and of what stands in lines: cells, links, buttons, statuses.
enum TextTemplates {
    static let all: [String: String] = [
        "text": text, "pieces": pieces, "definition": definition, "value": value, "cell": cell,
        "cell-name": nameCell,
        "link": link, "links": links, "action-link": actionLink, "action-download": actionDownload,
        "action-post": actionPost, "same": same, "copy": copy, "mark": mark,
    ]

    /// Words, or words with relative times among them; long ones may break between their pieces.
    private static let text = """
        {{.text}}{{>pieces}}{{#.parts}}{{#.isMoment}}<time datetime="{{.iso}}" title="{{.exact}}">{{/.isMoment}}{{.words}}\
        {{>pieces}}{{#.isMoment}}</time>{{/.isMoment}}{{/.parts}}
        """
    private static let pieces = "{{#.pieces}}<wbr>{{.}}{{/.pieces}}"

    private static let definition = """
        {{#.definition}}<details class="define"><summary aria-label="{{.label}}" title="{{.text}}">?</summary><p class="sheet">\
        {{.text}}</p></details>{{/.definition}}
        """

    /// The content of a cell.
    private static let value = """
        {{#.isLink}}<a href="{{.path}}">{{/.isLink}}{{#.isStatus}}<span class="status {{.status}}">{{/.isStatus}}\
        {{#.isCode}}<code>{{/.isCode}}{{>text}}{{#.isCode}}</code>{{/.isCode}}{{#.isStatus}}</span>{{/.isStatus}}\
        {{#.isLink}}</a>{{/.isLink}}
        """
    private static let cell = """
        <td{{#.class}} class="{{.}}"{{/.class}}{{#.label}} data-label="{{.}}"{{/.label}}{{#.title}} title="{{.}}"\
        {{/.title}}>{{>value}}</td>
        """
    private static let nameCell = """
        <th scope="row"{{#.class}} class="{{.}}"{{/.class}}{{#.title}} title="{{.}}"{{/.title}}>{{>value}}</th>
        """

    private static let link = """
        <a href="{{.path}}">{{.text}}{{>pieces}}</a>
        """
    private static let links = """
        <ul class="links">{{#.links}}<li>{{>link}}</li>{{/.links}}</ul>
        """

    private static let actionLink = """
        <a class="button{{#.isProminent}} prominent{{/.isProminent}}" href="{{.path}}">{{.text}}</a>
        """
    private static let actionDownload = """
        <a class="button download" href="{{.path}}" download>{{.text}}</a>
        """
    private static let actionPost = """
        <form class="act" method="post" action="{{.path}}">{{#.formToken}}{{>token}}{{/.formToken}}\
        {{#.fields}}<input type="hidden" name="{{.name}}" value="{{.value}}">{{/.fields}}\
        <button class="button{{#.isDangerous}} danger{{/.isDangerous}}">{{.text}}</button>{{#.same}}{{>same}}\
        {{/.same}}</form>
        """

    /// The command and the call that do what a button does.
    private static let same = """
        <details class="same" name="same"><summary aria-label="{{.label}}" title="{{.label}}"><span aria-hidden="true">&gt;_</span>\
        </summary>\
        <div class="sheet"><p class="note">{{.label}}</p>{{#.samples}}{{>code}}{{/.samples}}</div></details>
        """

    /// Shown by the script.
    private static let copy = """
        <button type="button" class="copy" data-copy hidden>{{.copy}}</button>
        """

    private static let mark = """
        <span class="mark {{.status}}"><span class="hidden">{{.statusText}}: </span></span>
        """
}
