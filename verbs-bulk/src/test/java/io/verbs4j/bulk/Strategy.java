/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Resources;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.model.Model;
import io.verbs4j.bulk.model.ModelProvider;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.Extent;
import java.util.List;

/** Two devices with given abilities. */
enum Strategy {
    /** The embedded devices as they are. */
    EVERYTHING(null, null),
    /** The same, connected by TCP. */
    BY_TCP(null, null),
    /** The same, with two devices on each side. */
    RAILS(null, null),
    /** The same without READ. */
    RAILS_WITHOUT_READ(Model.WITHOUT_READ, Model.WITHOUT_READ),
    /** The same with only WRITE. */
    RAILS_WRITE_ALONE(Model.WRITE_ALONE, Model.WRITE_ALONE),
    WITHOUT_READ(Model.WITHOUT_READ, Model.WITHOUT_READ),
    WITHOUT_READ_THERE(Model.ALL, Model.WITHOUT_READ_DEPTH),
    WITHOUT_IMMEDIATE(Model.WITHOUT_IMMEDIATE, Model.WITHOUT_IMMEDIATE),
    WRITE_ALONE(Model.WRITE_ALONE, Model.WRITE_ALONE),
    WRITE_ALONE_HERE(Model.WRITE_ALONE, Model.ALL),
    WRITE_ALONE_THERE(Model.ALL, Model.WRITE_ALONE),
    DATAGRAMS(Model.DATAGRAMS_ALONE, Model.DATAGRAMS_ALONE),
    DATAGRAMS_HERE(Model.DATAGRAMS_ALONE, Model.ALL_AND_DATAGRAMS),
    DATAGRAMS_THERE(Model.ALL_AND_DATAGRAMS, Model.DATAGRAMS_ALONE);

    /** Longer transfers are worth a registration if the peer writes them. */
    private static final int CHUNK = 64 << 10;

    private final Model first;
    private final Model second;

    Strategy(Model first, Model second) {
        this.first = first;
        this.second = second;
    }

    /** {@return the pairs of devices for tests that take long} */
    static List<Strategy> chosen() {
        return some(
                EVERYTHING,
                RAILS_WITHOUT_READ,
                WITHOUT_READ_THERE,
                WITHOUT_IMMEDIATE,
                WRITE_ALONE_HERE,
                DATAGRAMS,
                DATAGRAMS_THERE);
    }

    /** {@return these pairs; in an extent of hours all of them, as the others combine sides of these} */
    static List<Strategy> some(Strategy... chosen) {
        return Extent.isHours() ? List.of(values()) : List.of(chosen);
    }

    Context openFirst() {
        return open(0, first);
    }

    Context openSecond() {
        return open(1, second);
    }

    private static Context open(int number, Model model) {
        if (model != null) {
            return ModelProvider.open(number, model);
        }
        List<Device> devices = Verbs.devices();
        return Verbs.open(devices.get(number), VerbsLevel.CURRENT);
    }

    /** Opens a removable device of the first side. */
    Context openRemovableHere(int number) {
        return ModelProvider.open(number, first == null ? Model.ALL : first);
    }

    /** Opens a removable device of the second side. */
    Context openRemovableThere(int number) {
        return ModelProvider.open(number, second == null ? Model.ALL : second);
    }

    BulkConfig config(Context context) {
        return BulkConfig.of(context).withConnections(isByTcp() ? BulkConnections.TCP : BulkConnections.AUTOMATIC);
    }

    /** Adds another device if each side has two; it is closed with the resources. */
    BulkConfig config(Context context, int other, Resources resources) {
        return hasRails() ? BulkConfig.of(context, resources.add(open(other, first))) : config(context);
    }

    private boolean hasRails() {
        return this == RAILS || this == RAILS_WITHOUT_READ || this == RAILS_WRITE_ALONE;
    }

    /** Whether both sides are connected by TCP. */
    boolean isByTcp() {
        return this == BY_TCP || usesDatagrams();
    }

    /** Whether connections use datagrams. */
    boolean usesDatagrams() {
        return Model.DATAGRAMS_ALONE.equals(first) || Model.DATAGRAMS_ALONE.equals(second);
    }

    /** Whether a side that wants bytes of the other one reads them. */
    boolean reads() {
        return this == EVERYTHING || this == BY_TCP || this == RAILS || this == WITHOUT_IMMEDIATE;
    }

    /** Returns the flags of a completion for bytes fetched from the peer's memory. */
    int fetched(int size) {
        return !reads() && size > 0 && (size <= CHUNK || usesDatagrams()) ? BulkResult.COPIED : 0;
    }

    /** Returns the flags of a completion for bytes put into the peer's memory. */
    int put(int size) {
        return usesDatagrams() && size > 0 ? BulkResult.COPIED : 0;
    }
}
