/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.misuse;

import io.verbs4j.Errno;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The errnos documented for each verb: in the header's Javadoc, and in the man page it names. */
final class Answers {
    private static final Map<String, Set<Integer>> DOCUMENTED = new HashMap<>();

    static {
        // The device.
        document("open_device", Errno.EINVAL, Errno.ENODEV);
        document("close_device", Errno.EBUSY);
        document("num_comp_vectors", Errno.EINVAL);
        document("query_device", Errno.EINVAL);
        document("query_port", Errno.EINVAL);
        document("query_gid", Errno.EINVAL);
        document("query_pkey", Errno.EINVAL);
        document("query_values", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("query_device_ex", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("query_gid_ex", Errno.EINVAL, Errno.ENODATA);
        document("query_gid_table", Errno.EINVAL);
        document("init_ah_from_wc", Errno.EINVAL);
        document("get_async_event", Errno.EINVAL, Errno.EINTR, Errno.EBADF);
        document("ack_async_event", Errno.EINVAL);
        // Domains and memory.
        document("alloc_pd", Errno.EINVAL, Errno.ENOMEM);
        document("dealloc_pd", Errno.EBUSY);
        document("reg_mr", Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOMEM, Errno.EFAULT);
        document("rereg_mr", Errno.EINVAL, Errno.EBUSY, Errno.EOPNOTSUPP, Errno.ENOMEM, Errno.EFAULT);
        document("dereg_mr", Errno.EBUSY);
        document("alloc_mw", Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOMEM);
        document("alloc_mr_key", Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOMEM);
        document("dealloc_mw", Errno.EBUSY);
        document("bind_mw", Errno.EINVAL, Errno.ENOMEM, Errno.EPERM, Errno.EOPNOTSUPP);
        // Sharing. Closing is dealloc_pd and dereg_mr in this list, whatever the handle.
        document("export_device", Errno.EINVAL, Errno.EOPNOTSUPP, Errno.EMFILE);
        document("import_device", Errno.EINVAL, Errno.EOPNOTSUPP, Errno.EBADF, Errno.ENODEV);
        document("export_handle", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("import_pd", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("import_mr", Errno.EINVAL, Errno.EOPNOTSUPP);
        // Completion counters.
        document("query_comp_cntr_caps", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("create_comp_cntr", Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOMEM);
        document("qp_attach_comp_cntr", Errno.EINVAL, Errno.EOPNOTSUPP, Errno.EBUSY);
        document("read_comp_cntr", Errno.EINVAL);
        document("inc_comp_cntr", Errno.EINVAL);
        document("destroy_comp_cntr", Errno.EBUSY);
        // Address handles.
        document("create_ah", Errno.EINVAL, Errno.ENOMEM, Errno.ENETUNREACH);
        document("create_ah_from_wc", Errno.EINVAL, Errno.ENOMEM, Errno.ENETUNREACH);
        document("destroy_ah", Errno.EBUSY);
        // Completions. A channel may be closed while threads wait on it; closing does not wait for events.
        document("create_comp_channel", Errno.EINVAL, Errno.ENOMEM, Errno.EMFILE);
        document("destroy_comp_channel", Errno.EBUSY);
        document("get_cq_event", Errno.EINVAL, Errno.EINTR, Errno.EBADF);
        document("ack_cq_events", Errno.EINVAL);
        document("create_cq", Errno.EINVAL, Errno.ENOMEM);
        document("create_cq_ex", Errno.EINVAL, Errno.ENOMEM, Errno.EOPNOTSUPP);
        document("modify_cq", Errno.EINVAL, Errno.EOPNOTSUPP);
        // EBUSY while a thread reads completions one by one.
        document("resize_cq", Errno.EINVAL, Errno.ENOMEM, Errno.EOPNOTSUPP, Errno.EBUSY);
        document("poll_cq", Errno.EINVAL, Errno.EOVERFLOW, Errno.EBUSY);
        document("poll_cq_ex", Errno.EINVAL, Errno.EOVERFLOW, Errno.EBUSY);
        document("start_poll", Errno.EINVAL, Errno.EOVERFLOW, Errno.EBUSY, Errno.ENOENT, Errno.EOPNOTSUPP);
        document("next_poll", Errno.EINVAL, Errno.ENOENT, Errno.EOPNOTSUPP);
        document("end_poll", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("read_completion", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("req_notify_cq", Errno.EINVAL);
        document("destroy_cq", Errno.EBUSY);
        // Shared receive queues.
        document("create_srq", Errno.EINVAL, Errno.ENOMEM);
        document("modify_srq", Errno.EINVAL, Errno.ENOMEM, Errno.EOPNOTSUPP);
        document("query_srq", Errno.EINVAL);
        document("create_srq_ex", Errno.EINVAL, Errno.ENOMEM, Errno.EOPNOTSUPP);
        document("post_srq_ops", Errno.EINVAL, Errno.ENOMEM, Errno.EOPNOTSUPP);
        document("post_srq_recv", Errno.EINVAL, Errno.ENOMEM);
        document("destroy_srq", Errno.EBUSY);
        // Queue pairs.
        document("create_qp", Errno.EINVAL, Errno.ENOMEM, Errno.EOPNOTSUPP);
        // EADDRINUSE: another process uses that address of the machine.
        document("modify_qp", Errno.EINVAL, Errno.ENOMEM, Errno.EOPNOTSUPP, Errno.ENETUNREACH, Errno.EADDRINUSE);
        document("query_qp", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("query_qp_data_in_order", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("set_ece", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("query_ece", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("modify_qp_rate_limit", Errno.EINVAL, Errno.EOPNOTSUPP);
        document("post_send", Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOMEM);
        document("post_recv", Errno.EINVAL, Errno.ENOMEM);
        document("attach_mcast", Errno.EINVAL, Errno.ENOMEM, Errno.EADDRINUSE); // like modify_qp
        document("detach_mcast", Errno.EINVAL);
        document("destroy_qp", Errno.EBUSY);
    }

    private static final Set<String> DATA = Set.of(
            "post_send",
            "post_recv",
            "post_srq_recv",
            "post_srq_ops",
            "bind_mw",
            "poll_cq",
            "poll_cq_ex",
            "start_poll",
            "next_poll",
            "end_poll",
            "req_notify_cq");

    private Answers() {}

    private static void document(String verb, Integer... errnos) {
        DOCUMENTED.put(verb, Set.of(errnos));
    }

    static boolean allows(String verb, int errno) {
        Set<Integer> documented = DOCUMENTED.get(verb);
        if (documented == null) {
            throw new IllegalArgumentException("no verb " + verb);
        }
        // A kernel and a driver have their own errnos for control verbs; results of posting and polling are ours.
        return documented.contains(errno) || DevicesUnderTest.areNative() && !DATA.contains(verb);
    }

    /** Returns all verbs of the device, to check that none was left out; it does not support connection options. */
    static Set<String> verbs() {
        Set<String> verbs = new HashSet<>(DOCUMENTED.keySet());
        verbs.removeAll(Set.of("set_ece", "query_ece"));
        return verbs;
    }
}
