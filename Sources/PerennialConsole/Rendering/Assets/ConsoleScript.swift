/// The console's script. Pages are read and forms are sent without it; it adds copying, live lists, ordering by drag, uploads
/// with their progress and the values of charts.
enum ConsoleScript {
    static let text =
        "'use strict';(()=>{" + [common, menus, charts, order, live, upload].joined(separator: "\n") + "})();\n"

    private static let common = """
        const all=(selector,root)=>[...(root||document).querySelectorAll(selector)];
        const make=(name,of)=>Object.assign(document.createElement(name),of);
        const on=(target,events,act,early)=>{for(const event of events.split(' '))target.addEventListener(event,act,early)};
        """

    /// Menus close by a click elsewhere and by Escape and stay within the window; ⌘K leads to the search; buttons copy; menus of a filter apply themselves; a second click sends no form again.
    private static let menus = """
        const menus='details.menu[open],details.same[open],details.define[open]';
        on(document,'click',event=>{
          for(const menu of all(menus))if(!menu.contains(event.target))menu.open=false;
          const button=event.target.closest('[data-copy]');
          if(!button)return;
          const text=button.closest('.code').querySelector('pre').textContent,words=button.textContent;
          navigator.clipboard.writeText(text).then(()=>{
            button.textContent=document.body.dataset.copied;
            setTimeout(()=>{button.textContent=words},1500);
          });
        });
        on(document,'keydown',event=>{
          if(event.key==='Escape')for(const menu of all(menus)){
            const held=menu.contains(document.activeElement);
            menu.open=false;
            if(held)menu.querySelector('summary').focus();
          }
          if(event.key.toLowerCase()==='k'&&(event.metaKey||event.ctrlKey)&&!event.shiftKey){
            const field=all('[role=search] input').find(field=>field.offsetParent);
            if(field){event.preventDefault();field.focus();field.select()}
          }
        });
        on(document,'toggle',event=>{
          const sheet=event.target.open&&event.target.querySelector(':scope>.sheet');
          if(!sheet)return;
          sheet.style.translate='';
          const box=sheet.getBoundingClientRect(),room=document.documentElement.clientWidth-8;
          const shift=box.right>room?room-box.right:box.left<8?8-box.left:0;
          if(shift)sheet.style.translate=Math.round(shift)+'px 0';
        },true);
        if(!/Mac|iP/.test(navigator.platform))for(const key of all('.search kbd'))key.textContent='Ctrl K';
        const prepare=root=>{if(navigator.clipboard)for(const button of all('[data-copy]',root))button.hidden=false};
        prepare();
        on(document,'change',event=>{if(event.target.matches('[data-submit]'))event.target.form.requestSubmit()});
        on(document,'submit',event=>{
          const form=event.target;
          if(form.method!=='post'||event.defaultPrevented)return;
          if(form.dataset.sent)return event.preventDefault();
          form.dataset.sent='1';
          setTimeout(()=>{delete form.dataset.sent},1500);
        });
        """

    /// The value of the step under the pointer or finger.
    private static let charts = """
        for(const drawing of all('.drawing')){
          const hits=all('.hit',drawing);
          if(!hits.length)continue;
          const tip=make('div',{className:'tip',hidden:true});
          drawing.append(tip);
          for(const title of all('.hit title',drawing))title.remove();
          const hide=()=>{tip.hidden=true;for(const hit of hits)hit.classList.remove('on')};
          const show=event=>{
            const under=event.target.closest&&event.target.closest('.hit');
            if(!under)return hide();
            for(const hit of hits)hit.classList.toggle('on',hit===under);
            tip.textContent=under.dataset.label;
            tip.hidden=false;
            const box=drawing.getBoundingClientRect(),step=under.getBoundingClientRect();
            const middle=step.left+step.width/2-box.left-tip.offsetWidth/2;
            tip.style.left=Math.max(0,Math.min(box.width-tip.offsetWidth,middle))+'px';
          };
          on(drawing,'pointermove pointerdown',show);
          on(drawing,'pointerleave',hide);
        }
        """

    /// Items are dragged by the pointer. The buttons of the rows do the same without a script.
    private static let order = """
        for(const form of all('[data-order]')){
          const list=form.querySelector('ol'),save=form.querySelector('[data-save]');
          form.classList.add('drags');
          let dragged=null;
          on(list,'pointerdown',event=>{
            if(!event.target.closest('.grip'))return;
            dragged=event.target.closest('li');
            dragged.classList.add('dragged');
            list.setPointerCapture(event.pointerId);
            event.preventDefault();
          });
          on(list,'pointermove',event=>{
            if(!dragged)return;
            const items=[...list.children].filter(item=>item!==dragged);
            const after=items.find(item=>{const box=item.getBoundingClientRect();return event.clientY<box.top+box.height/2});
            if(after!==dragged.nextElementSibling)list.insertBefore(dragged,after||null);
          });
          on(list,'pointerup pointercancel',()=>{
            if(!dragged)return;
            dragged.classList.remove('dragged');
            dragged=null;
            save.value=[...list.children].map(item=>item.dataset.id).join(',');
            save.hidden=false;
            for(const button of all('.move',list))button.hidden=true;
          });
        }
        """

    /// A list that fills from above. It holds still while it is read or paused: while the pointer or the focus is on it, a row is
    /// open, or its top is out of sight. Rows wait then, and a button counts them. A row that is there already is not added; an emptied journal numbers its rows from 1 again.
    private static let live = """
        for(const part of all('[data-live]')){
          const list=part.querySelector('.rows'),state=part.querySelector('.live-state');
          const counter=part.querySelector('[data-waiting]'),pause=part.querySelector('[data-pause]');
          const most=500;
          let waiting=[],paused=false;
          const above=()=>list.getBoundingClientRect().top<part.querySelector('.live-bar').getBoundingClientRect().bottom-1;
          const still=()=>paused||list.matches(':hover')||list.contains(document.activeElement)
            ||list.querySelector('details[open]')||above();
          const count=()=>{
            counter.hidden=!waiting.length;
            counter.textContent=counter.dataset.waiting.replace('%1',waiting.length<most?waiting.length:most+'+');
          };
          const flush=()=>{
            for(const row of waiting){
              row.classList.add('new');
              list.prepend(row);
              prepare(row);
            }
            waiting=[];
            while(list.children.length>most&&!list.lastElementChild.contains(document.activeElement))list.lastElementChild.remove();
            count();
          };
          const tell=(name,text)=>{state.className='live-state '+name;if(state.textContent!==text)state.textContent=text};
          const source=new EventSource(part.dataset.live);
          tell('',state.dataset.connecting);
          source.onopen=()=>tell('on',state.dataset.connected);
          source.onerror=()=>tell('off',state.dataset.interrupted);
          source.onmessage=event=>{
            const row=make('template',{innerHTML:event.data}).content.querySelector('li');
            if(!row)return;
            if(row.dataset.kind==='emptied')for(const old of [...list.children,...waiting])old.removeAttribute('id');
            if(document.getElementById(row.id)||waiting.some(other=>other.id===row.id))return;
            waiting.push(row);
            if(waiting.length>most)waiting.shift();
            if(still())count();else flush();
          };
          const settle=()=>{if(waiting.length)setTimeout(()=>{if(!still())flush()},0)};
          on(list,'pointerleave focusout',settle);
          on(list,'toggle',settle,true);
          on(window,'scroll',settle,{passive:true});
          on(counter,'click',()=>{flush();pause.focus();if(above())part.scrollIntoView()});
          pause.hidden=false;
          on(pause,'click',()=>{
            paused=!paused;
            pause.textContent=paused?pause.dataset.resume:pause.dataset.pause;
            pause.setAttribute('aria-pressed',paused);
            settle();
          });
          on(window,'pagehide',()=>source.close());
        }
        """

    /// A file is sent as a request's body, with its progress; the form's other fields are in the query.
    private static let upload = """
        for(const form of all('form[data-upload]'))on(form,'submit',event=>{
          const field=form.querySelector('input[type=file]'),file=field&&field.files[0];
          if(!file)return;
          event.preventDefault();
          const query=new URLSearchParams();
          for(const [name,value] of new FormData(form))if(typeof value==='string'&&name!=='form-token')query.append(name,value);
          query.append('name',file.name);
          const path=form.dataset.upload,request=new XMLHttpRequest();
          const bar=make('progress',{max:1,value:0}),buttons=form.querySelector('.buttons');
          bar.setAttribute('aria-label',file.name);
          buttons.before(bar);
          for(const button of all('button',form))button.disabled=true;
          request.open('PUT',path+(path.includes('?')?'&':'?')+query);
          request.setRequestHeader('X-Form-Token',form.elements['form-token'].value);
          request.setRequestHeader('Content-Type',file.type||'application/octet-stream');
          request.upload.onprogress=step=>{if(step.lengthComputable)bar.value=step.loaded/step.total};
          const failed=()=>{bar.remove();for(const button of all('button',form))button.disabled=false};
          request.onerror=failed;
          request.onload=()=>{
            const place=request.getResponseHeader('Location');
            if(request.status<300){location.assign(place||request.responseURL||location.href);return}
            failed();
            const page=new DOMParser().parseFromString(request.responseText,'text/html').querySelector('main');
            if(!page)return;
            document.querySelector('main').replaceWith(page);
            prepare(page);
            (page.querySelector('[aria-invalid],[role=alert]')||page).focus();
          };
          request.send(file);
        });
        """
}
