/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Queue pairs and completions: the part of the tools to read as an example of the verbs API. Begin with {@link
 * io.verbs4j.tools.traffic.Endpoint}.
 */
package io.verbs4j.tools.traffic;
