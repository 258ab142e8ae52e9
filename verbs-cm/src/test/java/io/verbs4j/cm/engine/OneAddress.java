/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Gid;
import io.verbs4j.cm.spi.GsiPort;
import java.util.List;

/** A port with one address, in a process that publishes no names. */
abstract class OneAddress implements GsiPort {
    final Gid gid;
    private final long guid;

    OneAddress(Gid gid, long guid) {
        this.gid = gid;
        this.guid = guid;
    }

    @Override
    public String name() {
        return gid.toString();
    }

    @Override
    public long guid() {
        return guid;
    }

    @Override
    public List<Gid> gids() {
        return List.of(gid);
    }

    @Override
    public int pathMtu(int gidIndex) {
        return 1024;
    }

    @Override
    public Gid sourceFor(Gid destination) {
        return gid;
    }

    @Override
    public void publish(int portSpace, int port, Gid address) {
        // one network, one name for each
    }

    @Override
    public void withdraw(int portSpace, int port) {
        // as above
    }

    @Override
    public Gid lookUp(int portSpace, int port) {
        return null;
    }
}
