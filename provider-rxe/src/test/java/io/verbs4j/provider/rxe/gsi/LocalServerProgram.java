/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Listens at {@code localhost}, at the given port or any, prints it, and replies to one message. */
final class LocalServerProgram {
    private LocalServerProgram() {}

    public static void main(String[] args) throws Exception {
        Device device = Verbs.devices().stream()
                .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                .findFirst()
                .orElseThrow();
        int port = args.length == 0 ? 0 : Integer.parseInt(args[0]);
        try (Party party = new Party(Verbs.open(device, VerbsLevel.CURRENT));
                CmListener listener = CmListener.listen(
                        party.context, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1)) {
            System.out.println(listener.address().getPort());
            try (CmConnection connection =
                    listener.accept(party.pd, party.attr(), ConnParam.DEFAULT, party::receive, 60, TimeUnit.SECONDS)) {
                party.send(connection.queuePair(), party.received() + 1);
                party.completed(1);
                System.out.println(connection.awaitDisconnected(60, TimeUnit.SECONDS));
            }
        } catch (VerbsException e) {
            System.out.println("errno " + e.errno() + " " + e.getMessage());
        }
        System.in.read(); // until it is killed or the test ends
    }
}
