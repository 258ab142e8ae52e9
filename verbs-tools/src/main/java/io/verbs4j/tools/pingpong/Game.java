/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.Context;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.net.PeerLink;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.AskFirst;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.Service;
import java.net.Socket;
import java.util.List;

/** One side of a ping-pong, independent of how its messages are sent. */
interface Game extends AutoCloseable {
    /**
     * Creates a side, if the device supports what is requested.
     *
     * @param context the device
     * @param service transport service
     * @param role which side this is
     * @param options the other options
     */
    static Game of(Context context, Service service, PingPong.Role role, PingPongOptions options) {
        AskFirst device = new AskFirst(context);
        if (options.write) {
            device.operation(service, QpCreateSendOps.RDMA_WRITE, "");
            return new WritePingPong(context, service, role, options);
        }
        device.operation(
                service,
                QpCreateSendOps.SEND,
                "Give both sides --write: each message is then written into the peer's memory, which the peer polls");
        if (service == Service.SRQ) {
            device.sharedReceives();
        }
        if (options.path.events()) {
            device.events();
        }
        return new PingPong(context, service, role, options);
    }

    /** {@return the addresses of this side} */
    List<Address> local();

    /** {@return the addresses of the peer, once connected} */
    List<Address> remote();

    /** {@return the endpoint that is connected to the peer's} */
    Endpoint endpoint();

    /** Connects the queue pairs to the peer's. */
    void connect(List<Address> peer);

    /** Sends the peer what else it must know, after the addresses were exchanged. */
    void meet(Socket socket);

    /**
     * Plays until the requested number of messages has been sent each way.
     *
     * @param link connection to the peer
     * @param progress where to show the progress
     */
    void play(PeerLink link, Progress progress);

    /** {@return the result} */
    PingPongResult result();

    @Override
    void close();
}
