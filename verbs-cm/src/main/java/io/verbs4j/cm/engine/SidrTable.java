/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.UdParam;
import io.verbs4j.cm.spi.CmSink;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Requests for the queue pairs of datagram services, in both directions. Guarded by the engine. */
final class SidrTable {
    static final int NOBODY = 1;
    static final int REFUSED = 2;

    /** How long answers are kept for repeated requests, and how many of them. */
    private static final long KEEP = TimeUnit.SECONDS.toNanos(60);

    static final int MOST_ANSWERS = 1024;

    /** The sender of a request. */
    record Asker(Gid gid, int requestId) {
        // not the generated methods: through them the JDK would keep this class's loader alive

        @Override
        public boolean equals(Object other) {
            return other instanceof Asker one && requestId == one.requestId && gid.equals(one.gid);
        }

        @Override
        public int hashCode() {
            return Objects.hash(gid, requestId);
        }
    }

    /** A request of this side. */
    private final class Question extends Repeating {
        final Endpoint end;
        final int id;

        Question(Endpoint end, int id) {
            super(SidrTable.this.engine);
            this.end = end;
            this.id = id;
        }

        @Override
        void unanswered() {
            questions.remove(id, this);
            end.asked(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT, null, null);
        }

        @Override
        void elapsed() {
            // waits for nothing else
        }
    }

    /** An answer of this side, kept in case it is lost. */
    private final class Answer extends Timed {
        final Asker asker;
        final SidrRep rep;

        Answer(Asker asker, SidrRep rep) {
            this.asker = asker;
            this.rep = rep;
        }

        @Override
        void fire() {
            answers.remove(asker, this);
        }
    }

    private final Engine engine;
    private final Map<Integer, Question> questions = new HashMap<>();
    private final Map<Asker, Endpoint> pending = new HashMap<>();
    private final Map<Asker, Answer> answers = new LinkedHashMap<>();

    SidrTable(Engine engine) {
        this.engine = engine;
    }

    // ---- requests of this side

    void ask(Endpoint end, ConnParam param) {
        int id;
        do {
            id = engine.random32();
        } while (questions.containsKey(id));
        Question question = new Question(end, id);
        question.localGid = end.localGid;
        question.remoteGid = end.remoteGid;
        question.trafficClass = end.options.trafficClass();
        SidrReq req = new SidrReq();
        req.tid(engine.newTid(id));
        req.localId(id);
        req.pkey(0xffff);
        req.serviceId(ServiceId.of(end.portSpace(), end.remotePort));
        req.privateData(ConnectionSetup.behindHeader(SidrReq.PRIVATE_DATA_LENGTH, param.privateData()));
        req.cmaHeader().write(end.localPort, end.localGid, end.remoteGid);
        questions.put(id, question);
        question.repeat(req);
    }

    void onReply(SidrRep rep, Gid source) {
        Question question = questions.get(rep.localId());
        if (question == null || !source.equals(question.remoteGid)) {
            engine.drop();
            return;
        }
        questions.remove(question.id);
        question.answered();
        Endpoint end = question.end;
        ConnParam conn = ConnParam.DEFAULT.withPrivateData(rep.privateData()).withQpNum(rep.qpNum());
        if (rep.status() == 0) {
            UdParam ud = end.ud(end.remoteGid, rep.qpNum(), rep.qkey()).withPrivateData(rep.privateData());
            end.asked(CmEventType.ESTABLISHED, 0, conn, ud);
        } else {
            end.asked(CmEventType.UNREACHABLE, rep.status(), conn, null);
        }
    }

    /** Drops the requests of an end. */
    void forget(Endpoint end) {
        for (Iterator<Question> i = questions.values().iterator(); i.hasNext(); ) {
            Question question = i.next();
            if (question.end == end) {
                question.answered();
                i.remove();
            }
        }
    }

    // ---- requests of peers

    void onRequest(SidrReq req, Gid source, Gid destination) {
        Asker asker = new Asker(source, req.localId());
        Answer before = answers.get(asker);
        if (before != null) {
            engine.send(destination, source, 0, before.rep);
            return;
        }
        if (pending.containsKey(asker)) {
            return; // the program is about to answer
        }
        int space = ServiceId.portSpace(req.serviceId());
        int port = ServiceId.port(req.serviceId());
        Endpoint listener = space == PortSpace.UDP ? engine.listener(space, port, destination) : null;
        if (listener == null) {
            engine.send(destination, source, 0, reply(req.tid(), req.localId(), req.serviceId(), NOBODY));
        } else if (!AddressCheck.isGood(req.cmaHeader(), listener, source, destination)) {
            engine.send(destination, source, 0, reply(req.tid(), req.localId(), req.serviceId(), REFUSED));
        } else if (listener.backlog().isFull()) {
            engine.drop(); // the peer repeats it
        } else {
            take(req, asker, listener, source, destination);
        }
    }

    private void take(SidrReq req, Asker asker, Endpoint listener, Gid source, Gid destination) {
        Endpoint child = listener.child(destination, source, req.cmaHeader().port());
        byte[] data = req.privateData();
        ConnParam conn = ConnParam.DEFAULT.withPrivateData(Arrays.copyOfRange(data, CmaHeader.LENGTH, data.length));
        pending.put(asker, child);
        child.asked(listener, asker, req.tid(), req.serviceId());
        CmSink sink = listener.sink().connectRequest(child, conn);
        if (sink == null) {
            child.close();
        } else {
            child.sink(sink);
        }
    }

    private static SidrRep reply(long tid, int requestId, long serviceId, int status) {
        SidrRep rep = new SidrRep();
        rep.tid(tid);
        rep.localId(requestId);
        rep.serviceId(serviceId);
        rep.status(status);
        return rep;
    }

    /** Sends the program's answer. */
    void answer(Endpoint child, Asker asker, long tid, long serviceId, int status, int qpNum, byte[] data) {
        SidrRep rep = reply(tid, asker.requestId(), serviceId, status);
        rep.privateData(data);
        if (status == 0) {
            rep.qpNum(qpNum);
            rep.qkey(PortSpace.UDP_QKEY);
        }
        pending.remove(asker);
        if (answers.size() >= MOST_ANSWERS) {
            Iterator<Answer> oldest = answers.values().iterator();
            engine.cancel(oldest.next());
            oldest.remove();
        }
        Answer answer = new Answer(asker, rep);
        answers.put(asker, answer);
        engine.schedule(answer, KEEP);
        engine.send(child.localGid, asker.gid(), 0, rep);
    }

    int answerCount() {
        return answers.size();
    }

    /** Returns the number of entries that must not be left over; answers expire by themselves. */
    int size() {
        return questions.size() + pending.size();
    }
}
