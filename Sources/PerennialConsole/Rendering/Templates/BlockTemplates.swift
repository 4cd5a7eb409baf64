/// The markup of forms, filters, code, notices, and of blocks that hold others.
enum BlockTemplates {
    static let all: [String: String] = [
        "form": form, "token": token, "confirmation": confirmation, "hidden-field": hiddenField, "box": box,
        "field": field, "described": described, "remarks": remarks, "filter": filter, "code": code, "notice": notice,
        "empty": empty,
        "columns": columns, "section": section, "details": details, "paragraph": paragraph, "actions": actions,
    ]

    private static let form = """
        <form class="form{{#.isRow}} row{{/.isRow}}" method="{{.method}}" action="{{.path}}"\
        {{#.sendsFiles}} enctype="multipart/form-data"{{/.sendsFiles}}\
        {{#.uploadPath}} data-upload="{{.}}"{{/.uploadPath}}>{{#.formToken}}{{>token}}{{/.formToken}}\
        {{#.error}}<p class="error" role="alert">{{>text}}</p>{{/.error}}{{#.fields}}{{>*.template}}{{/.fields}}\
        {{#.warning}}<p class="warning">{{>text}}</p>{{/.warning}}{{#.confirmation}}{{>confirmation}}\
        {{/.confirmation}}\
        <div class="buttons"><button class="button {{.class}}">{{.submit}}</button>{{#.same}}{{>same}}{{/.same}}\
        </div></form>

        """
    private static let token = """
        <input type="hidden" name="form-token" value="{{.}}">
        """
    private static let confirmation = """
        <div class="field"><label for="{{.id}}">{{.label}}</label><input id="{{.id}}" name="confirmation" required \
        autocomplete="off" autocapitalize="off" spellcheck="false" pattern="\\s*{{.pattern}}\\s*"></div>
        """

    private static let hiddenField = """
        <input type="hidden" name="{{.name}}" value="{{.value}}">
        """
    private static let box = """
        <div class="field box{{#.isInvalid}} invalid{{/.isInvalid}}"><label><input type="checkbox" id="{{.id}}" \
        name="{{.name}}" value="on"{{#.isTicked}} checked{{/.isTicked}}{{>described}}> {{.label}}</label>{{>remarks}}\
        </div>
        """
    private static let field = """
        <div class="field{{#.isInvalid}} invalid{{/.isInvalid}}"><label for="{{.id}}">{{.label}}\
        {{#.isRequired}}<span class="required"> {{.requiredLabel}}</span>{{/.isRequired}}</label>\
        {{#.isInput}}<input type="{{.type}}" id="{{.id}}" name="{{.name}}"{{#.value}} value="{{.}}"{{/.value}}\
        {{#.inputMode}} inputmode="{{.}}"{{/.inputMode}}{{#.accepting}} accept="{{.}}"{{/.accepting}}\
        {{#.completion}} autocomplete="{{.}}"{{/.completion}}{{>described}}>{{/.isInput}}\
        {{#.isMultiline}}<textarea id="{{.id}}" name="{{.name}}" rows="{{.rowCount}}"{{>described}}>\n{{.value}}\
        </textarea>\
        {{/.isMultiline}}{{#.isChoice}}<select id="{{.id}}" name="{{.name}}"{{>described}}>{{#.options}}\
        <option value="{{.value}}"{{#.isSelected}} selected{{/.isSelected}}>{{.text}}</option>{{/.options}}</select>\
        {{/.isChoice}}{{>remarks}}</div>
        """
    /// Limits of a field, as attributes.
    private static let described = """
        {{#.maximumLength}} maxlength="{{.}}"{{/.maximumLength}}{{#.isRequired}} required{{/.isRequired}}\
        {{#.describedBy}} aria-describedby="{{.}}"{{/.describedBy}}{{#.isInvalid}} aria-invalid="true"{{/.isInvalid}}
        """
    private static let remarks = """
        {{#.hint}}<p class="hint" id="{{.id}}">{{>text}}</p>{{/.hint}}\
        {{#.error}}<p class="error" id="{{.id}}">{{>text}}</p>{{/.error}}
        """

    /// A popover needs no script. On a wide screen the style shows it in its place.
    private static let filter = """
        {{#.sheet}}<button type="button" class="button filters" popovertarget="{{.id}}">{{.label}}{{#.selected}}\
        <span class="selected">{{.}}</span>{{/.selected}}</button>{{/.sheet}}\
        <div class="filter"{{#.sheet}} id="{{.id}}" popover role="group" aria-label="{{.label}}"{{/.sheet}}>{{#.segments}}<nav aria-label="{{.label}}"><span class="label" aria-hidden="true">\
        {{.label}}</span><ul>{{#.options}}<li><a href="{{.path}}"{{#.isCurrent}} aria-current="true"{{/.isCurrent}}>\
        {{.text}}</a></li>{{/.options}}</ul></nav>{{/.segments}}\
        {{#.form}}<form method="get">{{#.hidden}}<input type="hidden" name="{{.name}}" value="{{.value}}">\
        {{/.hidden}}\
        {{#.selects}}<label><span class="label">{{.label}}</span><select name="{{.parameter}}" data-submit>\
        {{#.options}}<option value="{{.value}}"{{#.isCurrent}} selected{{/.isCurrent}}>{{.text}}</option>\
        {{/.options}}</select></label>{{/.selects}}\
        {{#.searches}}<label><span class="label">{{.label}}</span><input type="search" name="{{.parameter}}" value="{{.value}}"\
        {{#.placeholder}} placeholder="{{.}}"{{/.placeholder}}></label>{{/.searches}}\
        <button class="button">{{.apply}}</button></form>{{/.form}}{{#.further}}{{>form}}{{/.further}}</div>

        """

    private static let code = """
        <div class="code"><div class="code-head"><span>{{.label}}</span>{{>copy}}</div><pre tabindex="0"\
         role="group" aria-label="{{.label}}"><code>{{.code}}</code></pre></div>

        """

    private static let notice = """
        <div class="notice {{.status}}"><p>{{>mark}}{{>text}}</p>{{#.advice}}<p class="advice">{{>text}}</p>\
        {{/.advice}}{{#.hasLinks}}{{>links}}{{/.hasLinks}}</div>

        """

    private static let empty = """
        <div class="empty"><p>{{>text}}</p>{{#.hasActions}}<div class="actions">{{#.actions}}{{>*.template}}\
        {{/.actions}}</div>{{/.hasActions}}{{#.same}}{{#.samples}}{{>code}}{{/.samples}}{{/.same}}</div>
        {{>pages}}
        """

    private static let columns = """
        <div class="columns">{{#.columns}}<div>{{#.blocks}}{{>*.template}}{{/.blocks}}</div>{{/.columns}}</div>

        """

    private static let section = """
        <section{{#.anchor}} id="{{.}}"{{/.anchor}}><div class="heading">{{#.isNested}}<h3>{{.title}}</h3>\
        {{/.isNested}}{{^.isNested}}<h2>{{.title}}</h2>{{/.isNested}}\
        {{#.hasActions}}<div class="actions">{{#.actions}}{{>*.template}}{{/.actions}}</div>{{/.hasActions}}</div>
        {{#.blocks}}{{>*.template}}{{/.blocks}}</section>

        """

    private static let details = """
        <details class="fold"><summary>{{.label}}</summary>{{#.blocks}}{{>*.template}}{{/.blocks}}</details>

        """

    private static let paragraph = """
        <p>{{>text}}</p>

        """
    private static let actions = """
        <div class="actions">{{#.actions}}{{>*.template}}{{/.actions}}</div>

        """
}
