/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Setting up queue pairs and waiting for completions: the part of the tools that is worth reading as an example of the
 * verbs API. Begin with {@link io.verbs4j.tools.traffic.Endpoint}.
 */
package io.verbs4j.tools.traffic;
