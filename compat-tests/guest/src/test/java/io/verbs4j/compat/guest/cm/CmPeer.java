/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.cm;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.PortSpace;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The counterpart of {@code cmpeer.c}, line by line. */
final class CmPeer {
    private static final ConnParam ONE = ConnParam.DEFAULT.withInitiatorDepth(1).withResponderResources(1);

    private final CmMain.Task task;
    private final Side side;
    private final int portSpace;
    private int open;

    private CmPeer(CmMain.Task task) {
        this.task = task;
        side = task.side();
        portSpace = task.arguments().get(0).equals("tcp") ? PortSpace.TCP : PortSpace.UDP;
    }

    static void run(CmMain.Task task, boolean serves) throws InterruptedException {
        CmPeer peer = new CmPeer(task);
        if (serves) {
            peer.serve(task.number(1));
            return;
        }
        for (String count : task.arguments().get(1).split("\\+", -1)) { // the first of two counts is a warm-up
            peer.churn(Integer.parseInt(count));
        }
        for (String hex : task.arguments().subList(2, task.arguments().size())) {
            peer.ask(HexFormat.of().parseHex(hex));
        }
    }

    private static String data(ConnParam conn) {
        byte[] bytes = conn.privateData();
        return bytes.length + " bytes " + HexFormat.of().formatHex(bytes).replaceAll("(00)+$", "");
    }

    private static String words(VerbsException e) {
        return e.errno() == Errno.EINVAL ? "Invalid argument" : e.getMessage();
    }

    private void createQp(CmId id) {
        id.createQp(side.pd, side.attr(portSpace == PortSpace.TCP ? QpType.RC : QpType.UD));
    }

    // ---- server

    private void serve(int requests) throws InterruptedException {
        CmId listener = side.channel.createId(side.context, portSpace);
        listener.bind(task.address());
        listener.listen(0);
        System.out.println("listening");
        for (int left = requests; left > 0 || open > 0; ) {
            CmEvent event = side.channel.getEvent(Side.PATIENCE, TimeUnit.SECONDS);
            if (event == null) {
                throw new IllegalStateException("no connection request arrived");
            }
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                System.out.println("request: " + data(event.conn()));
                answer(event.id(), Arrays.copyOf(event.conn().privateData(), 2)); // iWARP may deliver none
                left--;
                continue;
            }
            System.out.println(CmEventType.toString(event.type()) + ": " + event.status());
            if (event.type() != CmEventType.ESTABLISHED) {
                event.id().close();
                open--;
            }
        }
        listener.close();
    }

    private void answer(CmId id, byte[] asked) throws InterruptedException {
        byte[] data = new byte[asked[1] & 0xff];
        Arrays.fill(data, (byte) 0x5a);
        boolean closes = portSpace == PortSpace.UDP;
        try {
            switch (asked[0]) {
                case 'n' -> {}
                case 'r' -> {
                    id.reject(data);
                    closes = true;
                }
                default -> {
                    if (asked[0] == 'w') {
                        TimeUnit.MILLISECONDS.sleep(100L * data.length);
                    }
                    createQp(id);
                    id.accept(asked[0] == 'a' ? ONE.withPrivateData(data) : ONE);
                }
            }
        } catch (VerbsException e) {
            System.out.println("accept: " + words(e));
            closes = true;
        }
        if (closes) {
            id.close();
        } else {
            open++;
        }
    }

    // ---- client

    private CmId resolved() {
        CmId id = side.resolved(portSpace, task.source(), task.address());
        createQp(id);
        return id;
    }

    private void ask(byte[] data) {
        CmId id = resolved();
        String line = "connect with " + data.length + " bytes: ";
        boolean connected = false;
        try {
            id.connect(ONE.withPrivateData(data));
            CmEvent event = side.channel.getEvent(Side.PATIENCE, TimeUnit.SECONDS);
            connected = portSpace == PortSpace.TCP && event.type() == CmEventType.ESTABLISHED;
            line += CmEventType.toString(event.type()) + ": " + event.status() + ": "
                    + (event.conn() == null ? "0 bytes " : data(event.conn()));
        } catch (VerbsException e) {
            line += words(e);
        }
        System.out.println(line);
        if (connected) {
            id.disconnect();
            side.next(CmEventType.DISCONNECTED);
        }
        id.close();
    }

    private void churn(int count) {
        if (count == 0) {
            return;
        }
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            CmId id = resolved();
            id.connect(ONE);
            side.next(CmEventType.ESTABLISHED);
            id.disconnect();
            side.next(CmEventType.DISCONNECTED);
            id.close();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.println(String.format(Locale.ROOT, "%d connections, %.0f a second", count, count / seconds));
    }
}
