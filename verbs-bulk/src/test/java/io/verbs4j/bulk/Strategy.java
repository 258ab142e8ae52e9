/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Resources;
import io.verbs4j.VerbsLevel;
import io.verbs4j.bulk.model.Model;
import io.verbs4j.bulk.model.ModelProvider;
import io.verbs4j.core.Verbs;
import java.util.List;

/** Two devices, by what they can do. */
enum Strategy {
    /** The embedded devices as they are. */
    EVERYTHING(null, null),
    /** The same, connected by TCP. */
    BY_TCP(null, null),
    /** The same, two of them on each side. */
    RAILS(null, null),
    /** The same without READ. */
    RAILS_WITHOUT_READ(Model.WITHOUT_READ, Model.WITHOUT_READ),
    /** The same with WRITE alone. */
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

    /** More than this is worth a registration where the peer writes it. */
    private static final int CHUNK = 64 << 10;

    private final Model first;
    private final Model second;

    Strategy(Model first, Model second) {
        this.first = first;
        this.second = second;
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

    /** A device of the first side that can be removed. */
    Context openRemovableHere(int number) {
        return ModelProvider.open(number, first == null ? Model.ALL : first);
    }

    /** A device of the second side that can be removed. */
    Context openRemovableThere(int number) {
        return ModelProvider.open(number, second == null ? Model.ALL : second);
    }

    BulkConfig config(Context context) {
        return BulkConfig.of(context).withConnections(isByTcp() ? BulkConnections.TCP : BulkConnections.AUTOMATIC);
    }

    /** With another device, if there are two on each side; it is closed with the resources. */
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

    /** Whether connections go by datagrams. */
    boolean usesDatagrams() {
        return Model.DATAGRAMS_ALONE.equals(first) || Model.DATAGRAMS_ALONE.equals(second);
    }

    /** Whether the side that wants bytes of the other one reads them. */
    boolean reads() {
        return this == EVERYTHING || this == BY_TCP || this == RAILS || this == WITHOUT_IMMEDIATE;
    }

    /** Flags of a completion for bytes that were brought here from the peer's memory. */
    int fetched(int size) {
        return !reads() && size > 0 && (size <= CHUNK || usesDatagrams()) ? BulkResult.COPIED : 0;
    }

    /** Flags of a completion for bytes that were put to the peer's memory. */
    int put(int size) {
        return usesDatagrams() && size > 0 ? BulkResult.COPIED : 0;
    }
}
