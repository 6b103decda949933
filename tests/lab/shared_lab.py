"""The application and the link emulator of the folder `lab` beside the shared facts (LATENCYTUNER_SHARED, default ../shared), with what `holdout` and `cures`
need beyond it. Nobody wrote them for the rules that are tested with them; each addition is one edit below."""
import os, sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHARED = os.environ.get('LATENCYTUNER_SHARED') or os.path.join(os.path.dirname(ROOT), 'shared')

FIRST = "A['req'],A.get('c_gap_ms',0)/1e3)"

EDITS = {
    'app.py': [
        # IPv6.
        ('socket.socket()', "socket.socket(socket.AF_INET6 if ':' in spec['ip_s'] else socket.AF_INET)"),
        # c_drain: after each part of that size, wait until all of it is acknowledged, as a blocking send that fills the send buffer does (KB 823764).
        # split_at: only these requests are sent in several writes. each: what differs between connections. s_stops: after so many bytes, stop reading.
        ('def serve(c,k):\n', '''def profile(k): return {**A,**A['each'][k]} if 'each' in A else A
def drained(s,data,size):
    import fcntl,struct
    for at in range(0,len(data),size):
        s.sendall(data[at:at+size])
        while struct.unpack('i',fcntl.ioctl(s,0x5411,b'\\0\\0\\0\\0'))[0]: time.sleep(2e-5)
def ask(s,A,i):
    if A.get('c_drain'): drained(s,b'x'*sum(A['req']),A['c_drain'])
    else: sendparts(s,A['req'] if i in A.get('split_at',[i]) else [sum(A['req'])],A.get('c_gap_ms',0)/1e3)
def stop(A,k,got):
    for i,(at,ms) in enumerate(A.get('s_stops',[])):
        if got[0]<at<=got[1]: log.append((k,i,'s_stop',T())); time.sleep(ms/1e3); log.append((k,i,'s_go',T()))
def serve(c,k,n):
    A=profile(n); got=[0,0]
'''),
        ("                if not b: break\n                if qa", "                if not b: break\n                got=[got[1],got[1]+len(b)]; stop(A,k,got)\n                if qa"),
        ('sendparts(s,' + FIRST, 'ask(s,A,i)'),
        ("s.sendall(b'b'*n); left-=n", "drained(s,b'b'*n,n) if A.get('c_drain') else s.sendall(b'b'*n); left-=n"),
        ('def run(k):\n', 'def run(k):\n        A=profile(k)\n'),
        # ports: connections go to as many ports in turn. s_backlog, s_accept_ms: connections that nobody accepts for a while. c_lead_ms: before the first request.
        ("s.connect((spec['ip_s'],A['port'])); p=", "s.connect((spec['ip_s'],A['port']+k%A.get('ports',1))); p="),
        ("log.append((p,-1,'c_connect1',T()))", "log.append((p,-1,'c_connect1',T())); time.sleep(A.get('c_lead_ms',0)/1e3)"),
        ("s.bind((spec['ip_s'],A['port'])); s.listen(64); print('ready',flush=True)", '''S=[s]+[socket.socket(s.family) for i in range(1,A.get('ports',1))]
    for i,s in enumerate(S): s.setsockopt(1,socket.SO_REUSEADDR,1); s.bind((spec['ip_s'],A['port']+i)); s.listen(A.get('s_backlog',64))
    print('ready',flush=True); time.sleep(A.get('s_accept_ms',0)/1e3)'''),
        ('c,a=s.accept()', 'c,a=S[k%len(S)].accept()'),
        ('args=(c,a[1])', 'args=(c,a[1],k)'),
    ],
    'emu.py': [
        # The emulator knows IPv4 only; the copy sees the TCP header behind an IPv6 header without extensions as well.
        ("def tcp(fr):\n", "def tcp(fr):\n    if len(fr)>=74 and fr[12:14]==b'\\x86\\xdd' and fr[20]==6:\n"
         "        sp,dp,seq,ack=struct.unpack('>HHII',fr[54:66]); return sp,dp,seq,ack,fr[67],(fr[18]<<8|fr[19])-(fr[66]>>4)*4\n"),
        # segments: an ACK of so many leaves at once, instead of two. What was kept until its timer ran out is written down.
        ('class Hold:', 'kept=[]\nclass Hold:'),
        ("s.t=d['timer_ms']/1e3;", "s.t=d['timer_ms']/1e3; s.n=d.get('segments',2);"),
        ("f['cnt']>=2 or f['last'] is None", "f['cnt']>=h.n or f['last'] is None"),
        # Data that had arrived before is acknowledged at once (RFC 5681 4.2).
        ("f['cnt']+=1\n", "f['cnt']+=1; e=p[2]+p[5]; again='end' in f and not 0<((e-f['end'])&0xffffffff)<0x80000000; f['end']=f['end'] if again else e; f['cnt']=h.n if again else f['cnt']\n"),
        ("if adv: f['last']=p[3]\n        if p[5]>0 or f['cnt']>=2 or adv", "if adv: f['last']=p[3]\n        if p[5]>0 or f['cnt']>=h.n or adv"),
        ("fr=f['held']; f['held']=None;", "fr=f['held']; f['held']=None; kept.append((a[0],a[1][a[0]],(t-f['arr'])*1e3));"),
        ("json.dump({", "json.dump({'kept':kept,"),
        # drop_again: a dropped segment is dropped as often again when it is repeated. drop_syn: so many SYNs of each connection are lost. ordered: jitter keeps the order.
        ('s.free=0;', "s.again=d.get('drop_again',0); s.gone={}; s.syns=d.get('drop_syn',0); s.syn={}; s.ordered=d.get('ordered',0); s.free=0;"),
        ('    if p and p[5]>0:\n        d.n+=1\n', '''    if p and p[4]&2 and not p[4]&16:
        d.syn[p[0]]=d.syn.get(p[0],0)+1
        if d.syn[p[0]]<=d.syns: d.dropped.append((time.time_ns(),p[2],0)); return
    if p and p[5]>0:
        d.n+=1
        if d.n in d.drop: d.gone[p[:3]]=d.again
        elif d.gone.get(p[:3],0)>0: d.gone[p[:3]]-=1; d.dropped.append((time.time_ns(),p[2],p[5])); return
'''),
        ('elif not d.jit and not d.reorder', 'elif (not d.jit or d.ordered) and not d.reorder'),
    ],
}


def copy(folder, *names):
    """Writes the named files with their edits into a folder."""
    for name in names:
        with open(os.path.join(SHARED, 'lab', name), encoding='utf-8') as file:
            text = file.read()
        for old, new in EDITS[name]:
            if old not in text:
                sys.exit(f'{name} of the shared lab has no "{old.strip()}"; this script was made for another one.')
            text = text.replace(old, new)
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(text)
