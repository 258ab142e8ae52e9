/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs that tests start: on which JDK, under which release of rdma-core, on which simulated devices. */
package io.verbs4j.testsupport.program;
